import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import ResetPassword from "../../src/islands/reset-password";
import VerifyEmail from "../../src/islands/verify-email";
import { navigation } from "../../src/lib/session";
import { pass, showAlone as show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const NO_NETWORK: Handler = () => Promise.reject(new TypeError("Failed to fetch"));
const heading = () => screen.findByRole("heading", { level: 1 });

describe("/verify-email", () => {
  const verified = (already_verified: boolean) => ({
    "GET /api/auth/verify-email": () => json({ already_verified, message: "Your address is verified." }),
  });

  it("[AUTH-042] waits while it asks", () => {
    serve({ "GET /api/auth/verify-email": () => new Promise(() => undefined) });
    show(<VerifyEmail token="t-1" />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Verifying your email address");
    expect(screen.getByRole("status")).toBeTruthy();
  });

  it("[AUTH-043] [AUTH-044] [LIM-014] goes to the login three seconds after success", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const calls = serve(verified(false));
    show(<VerifyEmail token="t-1" />);
    expect((await heading()).textContent).not.toBe("");
    await screen.findByRole("heading", { name: "Your address is verified" });
    expect(calls.map(({ query }) => query.get("token"))).toEqual(["t-1"]);
    const links = screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
    expect(links).toEqual([
      ["Go to Login", "/?login=true"],
      ["Back to Homepage", "/"],
    ]);
    await pass(3_000);
    expect(go).toHaveBeenCalledExactlyOnceWith("/?login=true");
  });

  it("[PEN-028] in the browser of the registration goes on signed in, by a press or after three seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const answer = {
      already_verified: false,
      message: "You are signed in.",
      token: "a.b.c",
      expires_in: 900,
    };
    serve({ "GET /api/auth/verify-email": () => json(answer) });
    const user = show(<VerifyEmail token="t-1" />);
    const start = await screen.findByRole("button", { name: "Start validating" });
    expect(screen.queryByRole("link", { name: "Go to Login" })).toBeNull();
    await pass(3_000);
    expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard");
    expect(localStorage.getItem("token")).toBe("a.b.c");
    await user.click(start);
    expect(go).toHaveBeenLastCalledWith("/dashboard");
  });

  it("[AUTH-042] says that the address was verified before, and stays", async () => {
    serve(verified(true));
    show(<VerifyEmail token="t-1" />);
    expect(await screen.findByRole("heading", { name: "Already verified" })).toBeTruthy();
    expect(screen.queryByText(/in 3 seconds/)).toBeNull();
  });

  it("[AUTH-046] a link without a token is answered without a call", () => {
    const calls = serve({});
    show(<VerifyEmail token="" />);
    const words = "Invalid verification link. Please check your email for the correct link.";
    expect(screen.getByText(words)).toBeTruthy();
    expect(calls).toEqual([]);
  });

  it.each([
    [
      "the server's words",
      () => refusal(400, "INVALID_TOKEN", "This link was used."),
      "This link was used.",
      0,
    ],
    ["words of its own", NO_NETWORK, "Verification failed. The link may have expired.", 1],
  ])("[AUTH-047] a failure shows %s", async (_, answer, words, retries) => {
    serve({ "GET /api/auth/verify-email": answer });
    show(<VerifyEmail token="t-1" />);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryAllByRole("button", { name: "Retry" })).toHaveLength(retries);
  });

  it("[AUTH-045] [AUTH-048] [AUTH-050] another link is mailed to an address that must be given", async () => {
    const calls = serve({
      "GET /api/auth/verify-email": () => refusal(400, "INVALID_TOKEN", ""),
      "POST /api/auth/resend-verification": () =>
        json({ message: "Verification email sent! Please check your inbox." }),
    });
    const user = show(<VerifyEmail token="t-1" />);
    const send = await screen.findByRole("button", { name: "Send a new link" });
    await user.click(send);
    expect(await screen.findByText("Please enter your email address.")).toBeTruthy();
    expect(calls).toHaveLength(1);
    await user.type(screen.getByLabelText("Email"), "nora@company.com");
    await user.click(send);
    expect(await screen.findByText("Verification email sent! Please check your inbox.")).toBeTruthy();
    expect(calls[1]?.query.get("email")).toBe("nora@company.com");
  });

  it("[AUTH-048] a failed resend says so", async () => {
    serve({ "POST /api/auth/resend-verification": NO_NETWORK });
    const user = show(<VerifyEmail token="" />);
    await user.type(screen.getByLabelText("Email"), "nora@company.com");
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    expect(await screen.findByText("Failed to resend verification email")).toBeTruthy();
  });
});

describe("/reset-password", () => {
  const link = (api_keys = 0, webhooks = 0) => ({
    "GET /api/auth/verify-reset-token/t-1": () => json({ valid: true, api_keys, webhooks }),
  });
  const good = link();

  async function choose(password: string, again = password) {
    const user = show(<ResetPassword token="t-1" />);
    await user.type(await screen.findByLabelText("New password"), password);
    await user.type(screen.getByLabelText("Confirm password"), again);
    return { user, submit: screen.getByRole<HTMLButtonElement>("button", { name: "Reset password" }) };
  }

  it("[AUTH-025] waits while the token is checked", () => {
    serve({ "GET /api/auth/verify-reset-token/t-1": () => new Promise(() => undefined) });
    show(<ResetPassword token="t-1" />);
    expect(screen.getByRole("status")).toBeTruthy();
    expect(screen.queryByLabelText("New password")).toBeNull();
  });

  it.each([
    ["refused", "t-1"],
    ["missing", ""],
  ])("[AUTH-026] [AUTH-034] a %s token shows an invalid link", async (_, token) => {
    serve({ "GET /api/auth/verify-reset-token/t-1": () => refusal(400, "INVALID_TOKEN", "") });
    show(<ResetPassword token={token} />);
    expect((await screen.findByRole("heading", { name: "Invalid Reset Link" })).tagName).toBe("H1");
    expect(screen.getByText("Invalid or expired reset link")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Return to Homepage" }).getAttribute("href")).toBe("/");
  });

  it.each([
    ["too many were checked", 429, "RATE_LIMIT_EXCEEDED"],
    ["the server is ill", 503, "UNAVAILABLE"],
  ])(
    "[AUTH-026] a link that nobody looked at, because %s, is not called invalid",
    async (_, status, code) => {
      let ill = true;
      serve({
        "GET /api/auth/verify-reset-token/t-1": () =>
          ill
            ? refusal(status, code, "Try again in a minute.")
            : json({ valid: true, api_keys: 0, webhooks: 0 }),
      });
      const user = show(<ResetPassword token="t-1" />);
      expect(await screen.findByRole("heading", { name: "Try again in a minute." })).toBeTruthy();
      expect(screen.queryByText("Invalid or expired reset link")).toBeNull();
      ill = false;
      await user.click(screen.getByRole("button", { name: "Retry" }));
      expect(await screen.findByLabelText("New password")).toBeTruthy();
    },
  );

  it("[AUTH-027] [AUTH-028] says what a password needs and cannot be sent before both are equal", async () => {
    serve(good);
    const { user, submit } = await choose("short1", "short2");
    expect(screen.getByText(/letters and numbers/)).toBeTruthy();
    expect(screen.getByText("Passwords do not match")).toBeTruthy();
    expect(submit.disabled).toBe(true);
    await user.clear(screen.getByLabelText("Confirm password"));
    await user.type(screen.getByLabelText("Confirm password"), "short1");
    expect(screen.getByText("Password must be at least 8 characters long")).toBeTruthy();
    expect(submit.disabled).toBe(false);
  });

  it("says why, after a one-time password", async () => {
    history.replaceState(null, "", "/reset-password?token=t-1&one-time");
    serve(good);
    show(<ResetPassword token="t-1" />);
    expect(await screen.findByText(/You signed in with a one-time password/)).toBeTruthy();
    history.replaceState(null, "", "/");
  });

  it("[AUTH-028] a short password is not sent", async () => {
    const calls = serve(good);
    const { user, submit } = await choose("short1");
    await user.click(submit);
    expect(calls).toHaveLength(1);
  });

  it("[AUTH-029] [AUTH-030] is done, and goes to the homepage after three seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = serve({ ...good, "POST /api/auth/reset-password": () => json({ message: "" }) });
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const { user, submit } = await choose("battery-43-staple");
    await user.click(submit);
    expect(await screen.findByText("Password reset successful!")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Password Reset Complete" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Login" }).getAttribute("href")).toBe("/?login=true");
    expect(JSON.parse(calls[1]?.body ?? "")).toEqual({
      token: "t-1",
      password: "battery-43-staple",
      revoke_keys: false,
      switch_webhooks_off: false,
    });
    await pass(3_000);
    expect(go).toHaveBeenCalledExactlyOnceWith("/");
  });

  it("[API-043] asks what becomes of keys and webhooks, and keeps them unless told otherwise", async () => {
    const calls = serve({ ...link(3, 1), "POST /api/auth/reset-password": () => json({ message: "" }) });
    const { user, submit } = await choose("battery-43-staple");
    const keys = within(screen.getByRole("group", { name: "What about your 3 API keys?" }));
    const hooks = within(screen.getByRole("group", { name: "What about your 1 webhook?" }));
    expect(keys.getByRole<HTMLInputElement>("radio", { name: "Keep them working" }).checked).toBe(true);
    expect(hooks.getByRole<HTMLInputElement>("radio", { name: "Keep sending to them" }).checked).toBe(true);
    await user.click(keys.getByRole("radio", { name: "Revoke all" }));
    await user.click(submit);
    await screen.findByText("Password reset successful!");
    expect(JSON.parse(calls[1]?.body ?? "")).toMatchObject({ revoke_keys: true, switch_webhooks_off: false });
  });

  it("[API-043] asks nothing where there is nothing to end", async () => {
    serve(good);
    show(<ResetPassword token="t-1" />);
    await screen.findByLabelText("New password");
    expect(screen.queryByRole("group")).toBeNull();
  });

  it.each([
    [() => refusal(400, "WEAK_PASSWORD", "This password is too common."), "This password is too common."],
    [NO_NETWORK, "Failed to reset password"],
  ])("[AUTH-031] [AUTH-032] a failure keeps the form and says why", async (answer, words) => {
    serve({ ...good, "POST /api/auth/reset-password": answer });
    const { user, submit } = await choose("password1");
    await user.click(submit);
    expect((await screen.findByRole("alert")).textContent).toBe(words);
    expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe("password1");
  });
});
