import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import SignIn from "../../src/islands/auth";
import { takeFlash } from "../../src/lib/flash";
import { navigation } from "../../src/lib/session";
import { show } from "../render";
import { json, refusal, serve } from "../server";

it("[AUTH-002] asks for both fields before it asks the server", async () => {
  const calls = serve({});
  const user = show(<SignIn />);
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(await screen.findByText("Enter your email address")).toBeTruthy();
  expect(screen.getByText("Enter your password")).toBeTruthy();
  expect(calls).toEqual([]);
});

it("[AUTH-005] stores the token, keeps the welcome for the dashboard and goes there", async () => {
  localStorage.clear();
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  const calls = serve({
    "POST /api/auth/login": () => json({ user: {}, token: "token-9", expires_in: 900 }),
  });
  const user = show(<SignIn />);
  await user.type(screen.getByLabelText("Email"), "alice@company.com");
  await user.type(screen.getByLabelText("Password"), "correct horse");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
  expect(calls.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { email: "alice@company.com", password: "correct horse" },
  ]);
  expect(localStorage.getItem("token")).toBe("token-9");
  expect(takeFlash()).toBe("Welcome back!");
});

it.each([
  [
    "the server's detail",
    () => refusal(401, "INVALID_CREDENTIALS", "Invalid email or password"),
    "Invalid email or password",
  ],
  ["a text of its own", () => Promise.reject(new TypeError("Failed to fetch")), "Authentication failed"],
])("[AUTH-007] a failed login stays open and shows %s", async (_, answer, message) => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  serve({ "POST /api/auth/login": answer });
  const user = show(<SignIn email="alice@company.com" password="wrong" />);
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  expect(screen.getByRole("dialog")).toBeTruthy();
  expect(go).not.toHaveBeenCalled();
});
