import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import Auth from "../../src/islands/auth";
import { takeFlash } from "../../src/lib/flash";
import { navigation } from "../../src/lib/session";
import { showAlone as show } from "../render";
import { json, refusal, serve } from "../server";

const press = (name: string) => screen.getByRole("button", { name });

beforeEach(() => localStorage.clear());

describe("an address that Google does not vouch for", () => {
  const unproven = () =>
    json({ detail: "Confirm that it is yours.", code: "GOOGLE_UNPROVEN", email: "bob@birch.net" }, 403);

  async function comeBack(handlers: Record<string, () => Response>) {
    const calls = serve({ "GET /api/auth/session": unproven, ...handlers });
    const user = show(<Auth session="unproven" />);
    const dialog = await screen.findByRole("dialog", { name: "Is this address yours?" });
    expect(dialog.textContent).toContain("bob@birch.net");
    return { calls, user };
  }

  it("[AUTH-066] the password links the account and goes on", async () => {
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const { calls, user } = await comeBack({
      "POST /api/auth/google/link": () => json({ user: {}, token: "token-9", expires_in: 900 }),
    });
    await user.click(press("Link and sign in"));
    expect(await screen.findByText("Enter your password")).toBeTruthy();
    expect(calls).toHaveLength(1);
    await user.type(screen.getByLabelText("Password of your account"), "secret-42");
    await user.click(press("Link and sign in"));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(JSON.parse(calls.at(-1)?.body ?? "")).toEqual({ password: "secret-42" });
    expect(takeFlash()).toBe("Successfully logged in with Google!");
  });

  it("[AUTH-066] a wrong password stays, and the second factor is asked for after a right one", async () => {
    let answer = () => refusal(401, "INVALID_CREDENTIALS", "Invalid email or password");
    const { user } = await comeBack({ "POST /api/auth/google/link": () => answer() });
    await user.type(screen.getByLabelText("Password of your account"), "secret-42");
    await user.click(press("Link and sign in"));
    expect((await screen.findByRole("alert")).textContent).toBe("Invalid email or password");
    answer = () => json({ detail: "Enter the code.", code: "MFA_REQUIRED", mfa_token: "mfa-1" }, 401);
    await user.click(press("Link and sign in"));
    expect(await screen.findByRole("dialog", { name: "Two-factor sign-in" })).toBeTruthy();
    expect(localStorage.getItem("token")).toBeNull();
  });

  it("[AUTH-066] whoever is new has a link mailed", async () => {
    let answer = () => refusal(429, "RATE_LIMIT_EXCEEDED", "Rate limit exceeded");
    const { user } = await comeBack({ "POST /api/auth/google/mail": () => answer() });
    await user.click(press("Email me a link"));
    expect((await screen.findByRole("alert")).textContent).toBe("Rate limit exceeded");
    answer = () => json({ message: "Check your email to confirm your address." });
    await user.click(press("Email me a link"));
    const sent = await screen.findByRole("dialog", { name: "Check your email" });
    expect(sent.textContent).toContain("bob@birch.net");
  });
});
