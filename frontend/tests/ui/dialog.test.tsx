import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { Dialog } from "../../src/ui/dialog";
import { show } from "../render";

function open(closable: boolean) {
  const onClose = vi.fn();
  const user = show(
    <Dialog title="Your key" onClose={onClose} closable={closable}>
      It is not shown again.
    </Dialog>,
  );
  const pressBeside = async () => {
    await new Promise((resolve) => setTimeout(resolve)); // the dialog listens from the next turn on
    const overlay = document.querySelector(".overlay");
    if (overlay) await user.click(overlay);
  };
  return { onClose, user, pressBeside };
}

it("a dialog whose close sign is missing stays when somebody presses beside it; Escape leaves", async () => {
  const { onClose, user, pressBeside } = open(false);
  await pressBeside();
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.getByRole("dialog", { name: "Your key" })).toBeTruthy();
});

it("any other dialog is left by a press beside it", async () => {
  const { onClose, pressBeside } = open(true);
  await pressBeside();
  expect(onClose).toHaveBeenCalledOnce();
});
