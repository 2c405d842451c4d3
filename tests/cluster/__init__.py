"""Several machines on one host: two webs and three workers behind a balancer, and all that they share.

    make demo-cluster                       start it, run a list, kill a machine in the middle, stop with Ctrl-C
    make soak-cluster ROUNDS=10 SEED=…      faults by chance while lists and calls are under way

A machine is a folder of its own (`VAR_DIR`), a name, an egress address, and links of its own to what machines share,
which can be cut. `place` keeps ports, folder and processes together, `backends` is what machines share, `machines` and
`cluster` are the machines; `customer` and `calls` use them, `faults` and `versions` trouble them, `checks` says what
must hold after that.
"""
