import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Button } from "../../src/ui/button";
import { Checkbox } from "../../src/ui/checkbox";
import { show } from "../render";

const REASON = "Not available: you are viewing as a user, read-only.";
const { dataset } = document.documentElement;

beforeEach(() => {
  dataset.viewing = "";
});

afterEach(() => {
  delete dataset.viewing;
});

it("[ADM-230] what would change something cannot be pressed by staff who look, and says why", async () => {
  const pressed = vi.fn();
  const sent = vi.fn();
  const user = show(
    <form onSubmit={sent}>
      <input aria-label="Name" />
      <Button type="submit" busy={false}>
        Save
      </Button>
      <Button changes onClick={pressed}>
        Buy
      </Button>
      <Checkbox label="By mail" checked={false} onChange={pressed} />
    </form>,
  );
  for (const name of ["Save", "Buy"]) {
    const button = screen.getByRole("button", { name, description: REASON });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await user.click(button);
  }
  await user.type(screen.getByLabelText("Name"), "Ida{Enter}");
  await user.click(screen.getByLabelText("By mail"));
  expect(sent).not.toHaveBeenCalled();
  expect(pressed).not.toHaveBeenCalled();
});

it("[ADM-230] what only reads or opens something can be pressed", async () => {
  const pressed = vi.fn();
  const user = show(
    <>
      <Button busy={false} changes={false} onClick={pressed}>
        Retry
      </Button>
      <Button onClick={pressed}>Details</Button>
    </>,
  );
  for (const button of screen.getAllByRole("button")) {
    expect(button.hasAttribute("title")).toBe(false);
    await user.click(button);
  }
  expect(pressed).toHaveBeenCalledTimes(2);
});

it("on a page of one's own everything can be pressed", async () => {
  delete dataset.viewing;
  const pressed = vi.fn();
  const user = show(
    <Button busy={false} onClick={pressed}>
      Save
    </Button>,
  );
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(pressed).toHaveBeenCalledOnce();
});
