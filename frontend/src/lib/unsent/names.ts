/** The field for an address or a list on the tab Validate: logging out asks about a list in it. */
export const ADDRESS_FORM = "addresses";
