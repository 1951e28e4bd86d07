"""The results of a campaign: what the pages of a report show."""
