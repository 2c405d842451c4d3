"""The engine beside its peers, in one run against one generated world. `make bench-engine` prints the figures."""
