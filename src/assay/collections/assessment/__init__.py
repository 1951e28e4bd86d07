"""Judging documents by hand: what is left to judge, the file that keeps every judgment, and the page in the browser."""
