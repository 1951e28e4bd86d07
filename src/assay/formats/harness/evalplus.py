"""EvalPlus: results of programs."""
