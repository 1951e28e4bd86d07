"""AlpacaEval: annotations of pairs."""
