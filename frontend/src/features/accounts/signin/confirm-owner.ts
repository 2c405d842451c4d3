import { setOwnerConfirmation } from "../../../lib/client";

async function showDialog(): Promise<boolean> {
  const [{ render, unmount }, { ConfirmOwner }] = await Promise.all([
    import("../../../render"),
    import("./confirm-owner-dialog"),
  ]);
  const place = document.createElement("div");
  document.body.append(place);
  const confirmed = await new Promise<boolean>((resolve) => {
    render(place, ConfirmOwner, { onEnd: resolve });
  });
  unmount(place);
  place.remove();
  return confirmed;
}

let shown: Promise<boolean> | null = null;

/**
 * Asks, in one dialog for all calls that wait for it, to prove once more who one is: password or code.
 * Answers whether that was done.
 */
function confirmOwner(): Promise<boolean> {
  shown ??= showDialog().finally(() => {
    shown = null;
  });
  return shown;
}

setOwnerConfirmation(confirmOwner);
