import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { startSession, TO_DASHBOARD } from "../../src/features/accounts/signin/calls";
import Invitation from "../../src/islands/invitation";
import { storeReturnPath, takeReturnPath } from "../../src/lib/return-path";
import { navigation } from "../../src/lib/session";
import { showAlone as show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const open = {
  organisation: "Birch & Co",
  role: "viewer",
  sentence: "Reads lists.",
  inviter: "Bob Birch",
  email: "alice@birch.com",
  state: "open",
};
const tell = (change: object = {}): Record<string, Handler> => ({
  "GET /api/invitations/t-1": () => json({ ...open, ...change }),
});

it("[ORG-011] says who invites to what as which role, and is accepted by the invited address in any case", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const calls = serve({ ...tell(), "POST /api/invitations/t-1/accept": () => json({ name: "Birch & Co" }) });
  const user = show(<Invitation token="t-1" email="Alice@Birch.com" />);
  expect(await screen.findByRole("heading", { name: "Join Birch & Co" })).toBeTruthy();
  expect(screen.getByText("Bob Birch invites you to Birch & Co as viewer.")).toBeTruthy();
  expect(screen.getByText("Reads lists.")).toBeTruthy();
  expect(calls.map(({ method }) => method)).toEqual(["GET"]);
  localStorage.setItem("token", "token-1");
  await user.click(screen.getByRole("button", { name: "Accept" }));
  await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/team"));
  expect(calls.map(({ method, path }) => `${method} ${path}`).slice(1)).toEqual([
    "POST /api/invitations/t-1/accept",
  ]);
});

it("[ORG-011] is not accepted by another address", async () => {
  const calls = serve(tell());
  show(<Invitation token="t-1" email="carol@birch.com" />);
  expect((await screen.findByRole("alert")).textContent).toBe("This invitation was sent to another address.");
  expect(screen.getByText("You are signed in as carol@birch.com.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
  expect(calls).toHaveLength(1);
});

it("[ORG-011] has a newcomer sign in or register first, who then comes back to it, once", async () => {
  history.replaceState(null, "", "/invitation?token=t-1");
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  serve(tell());
  const user = show(<Invitation token="t-1" email="" />);
  const buttons = await screen.findAllByRole("button");
  expect(buttons.map(({ textContent, dataset }) => [textContent, dataset.opens, dataset.mode])).toEqual([
    ["Sign in to accept", "auth", "login"],
    ["Create an account", "auth", "register"],
  ]);
  expect(buttons.map(({ dataset }) => dataset.email)).toEqual(["alice@birch.com", "alice@birch.com"]);
  expect(takeReturnPath()).toBeNull();
  for (const button of buttons) await user.click(button);
  startSession("token-1", TO_DASHBOARD);
  startSession("token-1", TO_DASHBOARD);
  expect(go.mock.calls).toEqual([["/invitation?token=t-1"], ["/dashboard"]]);
});

it("[ORG-011] is no longer come back to after its seven days, and never to another site", () => {
  vi.useFakeTimers({ now: 0 });
  storeReturnPath("/invitation?token=t-1");
  vi.setSystemTime(7 * 24 * 60 * 60 * 1000);
  expect(takeReturnPath()).toBeNull();
  for (const path of ["//evil.com", "/\\evil.com", "https://evil.com"]) {
    storeReturnPath(path);
    expect(takeReturnPath()).toBeNull();
  }
});

it.each([
  ["expired", "Bob Birch", "Bob Birch"],
  ["revoked", "Bob Birch", "Bob Birch"],
  ["accepted", null, "an owner or admin"],
])("[ORG-012] that is %s says whom to ask for a new one", async (state, inviter, asked) => {
  serve(tell({ state, inviter }));
  show(<Invitation token="t-1" email="alice@birch.com" />);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(`This invitation has expired. Ask ${asked} for a new one.`);
  expect(screen.queryByRole("button", { name: "Accept" })).toBeNull();
});

it("[ORG-011] that cannot be loaded can be asked for again; an unknown one cannot", async () => {
  let answer = () => refusal(503, "UNAVAILABLE", "Try again soon");
  serve({ "GET /api/invitations/t-1": () => answer() });
  const user = show(<Invitation token="t-1" email="alice@birch.com" />);
  expect((await screen.findByRole("alert")).textContent).toContain("Try again soon");
  answer = () => refusal(404, "NOT_FOUND", "Invitation not found");
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Invitation not found")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});
