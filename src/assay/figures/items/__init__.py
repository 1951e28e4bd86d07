"""The content of a topic's page for every task, and lists of questions worth reading first."""
