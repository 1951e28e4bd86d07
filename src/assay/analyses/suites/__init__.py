"""Several tasks with the same runs: macro means and their intervals."""
