"""A measure ready to resample, whatever its level.

columns.py   from the score table: integers, mask, clusters
samples.py   Mean, Sums and, in whole.py, Whole: the same questions asked of each
formulas.py  what closes sums to a measure, and its standard errors; integers.py the numbers that are added up
subsets.py   random subsets of the topics, and every pair of runs compared on them
kernels.py   what the compiled core offers
"""
