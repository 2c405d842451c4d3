import { setOwnerConfirmation } from "../../../lib/client";
import { askInDialog } from "./ask-in-dialog";

const loadQuestion = async () => (await import("./confirm-owner-dialog")).ConfirmOwnerDialog;

let openDialog: Promise<boolean> | null = null;

/**
 * Asks, in one dialog for all calls that wait for it, to prove once more who one is: password or code.
 * Answers whether that was done.
 */
function confirmOwner(): Promise<boolean> {
  openDialog ??= askInDialog(loadQuestion).finally(() => {
    openDialog = null;
  });
  return openDialog;
}

setOwnerConfirmation(confirmOwner);
