"""What the command line adds to the engine: reading lists, printing verdicts in their order, telling how far it is."""
