// What staff see and press when an account is to go: a customer's at once, a colleague's by two administrators.
import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { ColleagueDeletion, StaffUser } from "../../src/api/types";
import { ColleagueDeletions } from "../../src/features/adminpanel/customers/deletions/colleague-deletions";
import { DeleteUserDialog } from "../../src/features/adminpanel/customers/deletions/delete-user-dialog";
import { UsersTab } from "../../src/features/adminpanel/customers/users-tab";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { BOB, DETAIL, ROSA } from "../staff-users";

const USER = "/api/admin/users/7";
const LIST = "/api/admin/colleague-deletions";
const ASKED: ColleagueDeletion = {
  id: 3,
  user_id: 8,
  name: "Rosa Ruiz",
  email: "rosa@emailcheck.app",
  reason: "Has left the company",
  asked_by: "Sam Staff (sam@emailcheck.app)",
  asked_at: "2030-01-01T09:00:00Z",
  expires_at: "2030-01-08T09:00:00Z",
  may_confirm: true,
  may_cancel: true,
};

const ASK = "POST /api/admin/users/8/deletion";
const WHY = { name: "Why should this account be deleted?" };
const WAITING = { name: "Waiting for a second administrator" };
const CONFIRM = { name: "Confirm the deletion of rosa@emailcheck.app" };

function bodies(calls: ReturnType<typeof serve>): unknown[] {
  return calls.filter(({ method }) => method === "POST").map(({ body }): unknown => JSON.parse(body));
}

function askedToDelete(subject: StaffUser, handlers: Record<string, Handler>) {
  const detail = () => json({ ...DETAIL, user: subject });
  const calls = serve({ [`GET /api/admin/users/${subject.id}`]: detail, ...handlers });
  const onClose = vi.fn();
  return { calls, onClose, user: show(<DeleteUserDialog user={subject} onClose={onClose} />) };
}

/** The list of users with this one account, and the requests that wait, until they are taken away. */
function served(handlers: Record<string, Handler>) {
  const there = { users: [BOB], deletions: [ASKED] };
  const calls = serve({
    "GET /api/admin/users/authenticated": () =>
      json({ users: there.users, total: there.users.length, page: 1 }),
    [`GET ${LIST}`]: () => json({ deletions: there.deletions }),
    [`GET ${USER}`]: () => json(DETAIL),
    ...handlers,
  });
  return { calls, there };
}

function focusedText(): string | null | undefined {
  return document.activeElement === document.body ? "nowhere" : document.activeElement?.textContent;
}

it("[F1] a colleague's deletion is asked for with a reason, and no customer's", async () => {
  const calls = serve({
    "GET /api/admin/users/8": () => json({ ...DETAIL, user: ROSA }),
    "POST /api/admin/users/8/deletion": () => json(ASKED, 201),
  });
  const onClose = vi.fn();
  const user = show(<DeleteUserDialog user={ROSA} onClose={onClose} />);
  const dialog = within(await screen.findByRole("dialog", { name: "Delete Rosa Ruiz?" }));
  expect(dialog.getByText(/A second administrator must confirm it within 7 days/)).toBeTruthy();
  await user.click(await dialog.findByRole("button", { name: "Ask for deletion" }));
  expect(dialog.getByText(/^The record of .*, and of what it did as staff, with its name\.$/)).toBeTruthy();
  expect(dialog.getByText("Enter a reason")).toBeTruthy();
  expect(bodies(calls)).toEqual([]);
  await user.type(dialog.getByRole("textbox", { name: "Why should this account be deleted?" }), " Has left ");
  await user.click(dialog.getByRole("button", { name: "Ask for deletion" }));
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(bodies(calls)).toEqual([{ reason: "Has left" }]);
  expect(calls.some(({ method }) => method === "DELETE")).toBe(false);
  expect(await screen.findByText(/Another administrator must confirm it/)).toBeTruthy();
});

it("[F1] a customer is deleted after typing the address", async () => {
  const calls = serve({
    [`GET ${USER}`]: () => json(DETAIL),
    [`DELETE ${USER}`]: () => json({ success: true, message: "" }),
  });
  const user = show(<DeleteUserDialog user={BOB} onClose={vi.fn()} />);
  await user.click(await screen.findByRole("button", { name: "Delete user" }));
  expect(screen.getByText("The record of who deleted this account.")).toBeTruthy();
  expect(screen.getByText("Type bob@birch.net to confirm")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Ask for deletion" })).toBeNull();
  await user.type(screen.getByRole("textbox", { name: "Type bob@birch.net" }), "bob@birch.net");
  await user.click(screen.getByRole("button", { name: "Delete user" }));
  await expect.poll(() => calls.filter(({ method }) => method === "DELETE").length).toBe(1);
});

it("[F1] the second administrator reads who asked and why, and confirms once more", async () => {
  let open = [ASKED];
  const calls = serve({
    [`GET ${LIST}`]: () => json({ deletions: open }),
    [`POST ${LIST}/3/confirm`]: () => {
      open = [];
      return json({ success: true, message: "User rosa@emailcheck.app deleted successfully!" });
    },
  });
  const user = show(<ColleagueDeletions />);
  const panel = await screen.findByRole("region", { name: "Waiting for a second administrator" });
  expect(panel.textContent).toContain(
    "Rosa Ruiz (rosa@emailcheck.app), asked by Sam Staff (sam@emailcheck.app): Has left the company",
  );
  await user.click(screen.getByRole("button", { name: "Confirm the deletion of rosa@emailcheck.app" }));
  const dialog = within(screen.getByRole("dialog", { name: "Delete Rosa Ruiz?" }));
  expect(calls.some(({ method }) => method === "POST")).toBe(false);
  await user.click(dialog.getByRole("button", { name: "Delete user" }));
  expect(await screen.findByText("User rosa@emailcheck.app deleted successfully!")).toBeTruthy();
  await expect.poll(() => screen.queryByRole("region", { name: /second administrator/ })).toBeNull();
});

it("[F1] whoever asked can cancel, not confirm; the colleague neither", async () => {
  const mine = { ...ASKED, may_confirm: false };
  const aboutMe = { ...ASKED, id: 4, email: "me@emailcheck.app", may_confirm: false, may_cancel: false };
  const calls = serve({
    [`GET ${LIST}`]: () => json({ deletions: [mine, aboutMe] }),
    [`POST ${LIST}/3/cancel`]: () => refusal(409, "DELETION_ENDED", "This request is no longer open."),
  });
  const user = show(<ColleagueDeletions />);
  expect(await screen.findAllByText(/Another administrator must confirm it until/)).toHaveLength(2);
  const [cancel, ...others] = screen.getAllByRole("button", { name: /deletion of/ });
  expect([cancel?.getAttribute("aria-label"), others]).toEqual([
    "Cancel the deletion of rosa@emailcheck.app",
    [],
  ]);
  await user.click(screen.getByRole("button", { name: "Cancel the deletion of rosa@emailcheck.app" }));
  const dialog = within(screen.getByRole("dialog", { name: "Keep Rosa Ruiz?" }));
  await user.click(dialog.getByRole("button", { name: "Keep the account" }));
  expect(await dialog.findByText("This request is no longer open.")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST")).toHaveLength(1);
});

it("[F1] without a reason the field has the focus; a refusal stands in the dialog and keeps what was typed", async () => {
  const words = "The deletion of this account is asked for already.";
  const { user, onClose } = askedToDelete(ROSA, { [ASK]: () => refusal(409, "DELETION_ASKED", words) });
  await user.click(await screen.findByRole("button", { name: "Ask for deletion" }));
  const field = screen.getByRole("textbox", WHY);
  expect([document.activeElement, field.getAttribute("aria-invalid")]).toEqual([field, "true"]);
  await user.type(field, "Has left");
  await user.click(screen.getByRole("button", { name: "Ask for deletion" }));
  expect((await screen.findByRole("alert")).textContent).toBe(words);
  expect([onClose.mock.calls, (field as HTMLInputElement).value]).toEqual([[], "Has left"]);
});

it("[ADM-209] a refused deletion of a customer is said, and the dialog stays", async () => {
  const words = "This account is protected";
  const { user, onClose } = askedToDelete(BOB, {
    [`DELETE ${USER}`]: () => refusal(403, "PROTECTED_ACCOUNT", words),
  });
  await user.type(await screen.findByRole("textbox", { name: "Type bob@birch.net" }), "bob@birch.net");
  await user.click(screen.getByRole("button", { name: "Delete user" }));
  const dialog = within(screen.getByRole("dialog"));
  expect((await dialog.findByRole("alert")).textContent).toBe(words);
  expect(onClose.mock.calls).toEqual([]);
});

it("[F1] what goes is unknown where the account cannot be loaded: nothing is said of it, nothing can be pressed", async () => {
  const failing = { "GET /api/admin/users/8": () => refusal(404, "NOT_FOUND", "User not found") };
  const { calls } = askedToDelete(ROSA, failing);
  expect((await screen.findByRole("alert")).textContent).toContain("User not found");
  expect(screen.queryByText(/unspent credit/)).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["", "Retry"]);
  expect(calls.every(({ method }) => method === "GET")).toBe(true);
});

it("[F1] no panel while nothing waits", async () => {
  const calls = serve({ [`GET ${LIST}`]: () => json({ deletions: [] }) });
  show(<ColleagueDeletions />);
  await expect.poll(() => calls.length).toBe(1);
  expect([screen.queryByRole("region", WAITING), screen.queryByRole("alert")]).toEqual([null, null]);
});

it("[F1] a load of the panel that fails says so, invents nothing, and comes back with Retry", async () => {
  let answer = refusal(400, "BROKEN", "");
  serve({ [`GET ${LIST}`]: () => answer.clone() });
  const user = show(<ColleagueDeletions />);
  const said = "Failed to load the deletions that wait for a second administrator.";
  expect((await screen.findByRole("alert")).textContent).toContain(said);
  expect(screen.queryByRole("region", WAITING)).toBeNull();
  answer = json({ deletions: [ASKED] });
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("region", WAITING)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("[F1] what another administrator decided meanwhile is said in the dialog, and goes from the panel", async () => {
  const { there } = served({
    [`POST ${LIST}/3/confirm`]: () => {
      there.deletions = [];
      return refusal(409, "DELETION_ENDED", "This request is no longer open.");
    },
  });
  const user = show(<UsersTab />);
  await user.click(await screen.findByRole("button", CONFIRM));
  const dialog = within(screen.getByRole("dialog", { name: "Delete Rosa Ruiz?" }));
  await user.click(dialog.getByRole("button", { name: "Delete user" }));
  expect((await dialog.findByRole("alert")).textContent).toBe("This request is no longer open.");
  await expect.poll(() => screen.queryByText(/asked by/)).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await expect.poll(focusedText).toBe("User Management");
});

it("[F1] the focus goes back to what opened the question, and to the heading when that is gone", async () => {
  const { there } = served({
    [`POST ${LIST}/3/confirm`]: () => {
      there.deletions = [];
      return json({ success: true, message: "User rosa@emailcheck.app deleted successfully!" });
    },
  });
  const user = show(<UsersTab />);
  await user.click(await screen.findByRole("button", CONFIRM));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await expect.poll(focusedText).toBe("Confirm deletion");
  await user.keyboard("{Enter}");
  await user.click(screen.getByRole("button", { name: "Delete user" }));
  await expect.poll(() => screen.queryByRole("region", WAITING)).toBeNull();
  await expect.poll(focusedText).toBe("User Management");
});

it("[ADM-209] the focus stays on the page when the row of a deleted customer goes", async () => {
  const { there } = served({
    [`DELETE ${USER}`]: () => {
      there.users = [];
      return json({ success: true, message: "" });
    },
  });
  const user = show(<UsersTab />);
  await user.click(await screen.findByRole("button", { name: "Delete bob@birch.net" }));
  await user.type(await screen.findByRole("textbox", { name: "Type bob@birch.net" }), "bob@birch.net");
  await user.click(screen.getByRole("button", { name: "Delete user" }));
  expect(await screen.findByText("No users found")).toBeTruthy();
  await expect.poll(focusedText).toBe("User Management");
});
