"""When to decline, and what a wrong answer costs: threshold, price, calibration."""
