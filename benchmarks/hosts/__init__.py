"""Programs around hustings, as others would write them. `benchmarks.embedding` runs them."""
