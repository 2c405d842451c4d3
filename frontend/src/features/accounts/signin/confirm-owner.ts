import { setOwnerConfirmation } from "../../../lib/client";

async function showDialog(): Promise<boolean> {
  const [{ renderIsland, unmountIsland }, { ConfirmOwnerDialog }] = await Promise.all([
    import("../../../render"),
    import("./confirm-owner-dialog"),
  ]);
  const place = document.createElement("div");
  document.body.append(place);
  const confirmed = await new Promise<boolean>((resolve) => {
    renderIsland(place, ConfirmOwnerDialog, { onEnd: resolve });
  });
  unmountIsland(place);
  place.remove();
  return confirmed;
}

let openDialog: Promise<boolean> | null = null;

/**
 * Asks, in one dialog for all calls that wait for it, to prove once more who one is: password or code.
 * Answers whether that was done.
 */
function confirmOwner(): Promise<boolean> {
  openDialog ??= showDialog().finally(() => {
    openDialog = null;
  });
  return openDialog;
}

setOwnerConfirmation(confirmOwner);
