import { screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { expect, it, vi } from "vitest";

import { Button } from "../../src/ui/button";
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

/** A question that makes way for another dialog, as a form does for what it has made. */
function Page(): ReactNode {
  const [step, setStep] = useState<"page" | "question" | "answer">("page");
  const next = <Button onClick={() => setStep("answer")}>Go on</Button>;
  return (
    <>
      <Button onClick={() => setStep("question")}>Ask</Button>
      {step === "question" ? (
        <Dialog key="question" title="Question" onClose={() => setStep("page")} actions={next}>
          Really?
        </Dialog>
      ) : null}
      {step === "answer" ? (
        <Dialog key="answer" title="Answer" onClose={() => setStep("page")}>
          So be it.
        </Dialog>
      ) : null}
    </>
  );
}

it("what opened a dialog has the focus again when it is left, also by way of another dialog", async () => {
  const user = show(<Page />);
  const ask = screen.getByRole("button", { name: "Ask" });
  ask.focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Question" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(ask));
  await user.keyboard("{Enter}");
  await user.click(await screen.findByRole("button", { name: "Go on" }));
  await screen.findByRole("dialog", { name: "Answer" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(ask));
});
