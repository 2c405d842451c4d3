"""Pages for everybody: no sign-in needed. One module for each group of pages."""
