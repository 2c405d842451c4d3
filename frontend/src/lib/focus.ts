/** A ref: what has just arrived is brought into view and read out. */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
