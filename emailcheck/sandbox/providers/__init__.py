"""ZeroBounce, NeverBounce and Kickbox, played: the shapes of their interfaces over the simulated world's mailboxes."""
