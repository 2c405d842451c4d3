"""The monitoring page of staff, the public health call and the Prometheus text."""
