"""A measure ready to resample, whatever its level.

columns.py     from the score table: integers, mask, clusters
samples.py     MeanResampler, Sums and, in whole.py, Whole: the same questions asked of each
arithmetic.py  integers that add up, formulas that close their sums, standard errors
subsets.py     random subsets of the topics, and every pair of runs compared on them
kernels.py     what the compiled core offers
"""
