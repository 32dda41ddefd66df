"""Rebuild `catalogs/benchmarks` from measurements: `python -m tools.fit_speed --data FILE.csv`."""
