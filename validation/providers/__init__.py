"""Outside validation services behind one interface (`base`). Adapters know no customer and no database."""
