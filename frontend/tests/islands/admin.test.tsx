import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import Admin from "../../src/islands/admin";
import { showAlone as show } from "../render";
import { json, refusal, serve } from "../server";

const me = (is_staff: boolean) => () => json({ name: "Sam Staff", is_staff });
const CARD = { name: "Admin Access Required" };

it("[ADM-005] [ADM-010] [ADM-014] staff find eleven tabs, and the choice is in the address", async () => {
  const calls = serve({ "GET /api/auth/me": me(true) });
  const user = show(<Admin />);
  expect(await screen.findAllByRole("tab")).toHaveLength(11);
  expect(calls.map(({ headers }) => headers.get("Authorization"))).toEqual(["Bearer token-1"]);
  await user.click(screen.getByRole("tab", { name: "System Admin" }));
  expect(location.search).toBe("?tab=system");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("System Admin");
  await user.keyboard("{ArrowDown}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("Monitoring & Alerts");
  expect(document.activeElement?.textContent).toBe("Monitoring & Alerts");
});

it("[ADM-007] shows nothing of the area before the server has said who asks", () => {
  serve({ "GET /api/auth/me": () => new Promise(() => undefined) });
  show(<Admin />);
  expect(screen.queryAllByRole("tab")).toEqual([]);
  expect(screen.queryByRole("heading", CARD)).toBeNull();
});

it.each([
  ["401, after a refused renewal", () => refusal(401, "NOT_AUTHENTICATED", "Authentication required")],
  ["403", () => refusal(403, "PERMISSION_DENIED", "No.")],
  ["an account that is not staff", me(false)],
])("[ADM-008] %s takes the area away", async (_, answer) => {
  serve({
    "GET /api/auth/me": answer,
    "POST /api/auth/refresh": () =>
      refusal(401, "SESSION_ENDED", "Your session has ended. Please sign in again."),
  });
  show(<Admin />);
  expect(await screen.findByText("Admin access required.")).toBeTruthy();
  expect(screen.getByRole("heading", CARD)).toBeTruthy();
  expect(screen.queryAllByRole("tab")).toEqual([]);
});

it("[ADM-009] without a stored token it says so and asks nobody", async () => {
  localStorage.clear();
  const calls = serve({});
  show(<Admin />);
  expect(await screen.findByText("Authentication required")).toBeTruthy();
  expect(screen.getByRole("heading", CARD)).toBeTruthy();
  expect(calls).toEqual([]);
});

it("[ADM-015] a failed load keeps the area and offers another try", async () => {
  let broken = true;
  serve({ "GET /api/auth/me": () => (broken ? refusal(500, "INTERNAL_ERROR", "") : me(true)()) });
  const user = show(<Admin />);
  const retry = await screen.findByRole("button", { name: "Retry" });
  broken = false;
  await user.click(retry);
  expect(await screen.findAllByRole("tab")).toHaveLength(11);
});
