"""From scores and figures to the report's model: a module per task, with

run_page(figures, campaign, position)    one run's page
sections(figures, campaign)              what its campaign shows beside the leaderboard, where it shows more
meta(figures)                            what the head of the report says, where it says more
"""
