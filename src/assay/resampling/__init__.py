"""Resample any measure: bootstrap, sign flips, shuffles and subsets of topics.

columns.py          from the score table to integers, mask and clusters
resamplers.py       Resampler and its kinds: a mean over topics, a formula on sums; whole_runs.py: a function of all topics
macro_means.py      the mean over the tasks of a suite
sign_flips.py       joint sign flips of all runs: the distribution behind p-values, max-T and intervals
subsets.py          random subsets of the topics, and every pair of runs compared on them
arithmetic.py       sums of integers, closing formulas, standard errors; integer_scaling.py: values as integers
"""
