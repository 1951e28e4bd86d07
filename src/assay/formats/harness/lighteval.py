"""lighteval: details in Parquet."""
