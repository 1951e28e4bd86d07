"""Can the evaluation be trusted? Stability, swap, discriminative power, and how many topics it takes."""
