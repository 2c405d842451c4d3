"""Tests of the Python package: against the whole product on a real socket, through a proxy that cuts and refuses."""
