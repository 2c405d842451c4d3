import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import Auth from "../../src/islands/auth";
import { storeInvitation } from "../../src/lib/store-referral";
import { takeFlash } from "../../src/lib/flash";
import { navigation } from "../../src/lib/session";
import { showAlone as show } from "../render";
import { json, refusal, serve, type Call } from "../server";

const bodies = (calls: Call[]) => calls.map(({ body }) => JSON.parse(body) as unknown);
const entered = () => json({ user: {}, token: "token-9", expires_in: 900 });
const needsCode = () =>
  json(
    { detail: "Enter the code from your authenticator app.", code: "MFA_REQUIRED", mfa_token: "mfa-1" },
    401,
  );
const press = (name: string) => screen.getByRole("button", { name });

function watchLeaving() {
  return vi.spyOn(navigation, "go").mockReturnValue();
}

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/");
});

describe("login", () => {
  it("[AUTH-002] asks for both fields before it asks the server", async () => {
    const calls = serve({});
    const user = show(<Auth />);
    await user.click(press("Sign In"));
    expect(await screen.findByText("Enter your email address")).toBeTruthy();
    expect(screen.getByText("Enter your password")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Email"));
    expect(calls).toEqual([]);
  });

  it("[AUTH-005] [AUTH-006] stores the token, keeps the welcome for the dashboard and goes there", async () => {
    const go = watchLeaving();
    const calls = serve({ "POST /api/auth/login": entered });
    const user = show(<Auth />);
    await user.type(screen.getByLabelText("Email"), "alice@company.com");
    await user.type(screen.getByLabelText("Password"), "correct horse");
    await user.click(press("Sign In"));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(bodies(calls)).toEqual([{ email: "alice@company.com", password: "correct horse" }]);
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
  ])("[AUTH-007] a failure stays open and shows %s", async (_, answer, message) => {
    const go = watchLeaving();
    serve({ "POST /api/auth/login": answer });
    const user = show(<Auth email="alice@company.com" password="wrong" />);
    await user.click(press("Sign In"));
    expect((await screen.findByRole("alert")).textContent).toBe(message);
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(go).not.toHaveBeenCalled();
    expect(localStorage.getItem("token")).toBeNull();
  });

  it("[AUTH-013] [AUTH-050] an unverified account is offered another mail", async () => {
    const calls = serve({
      "POST /api/auth/login": () =>
        refusal(403, "EMAIL_NOT_VERIFIED", "Please verify your email before logging in."),
      "POST /api/auth/resend-verification": () =>
        json({ message: "Verification email sent! Please check your inbox." }),
    });
    const user = show(<Auth email="new@company.com" password="secret-42" />);
    await user.click(press("Sign In"));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Please verify your email before logging in.",
    );
    await user.click(press("Resend verification email"));
    expect(await screen.findByText("Verification email sent! Please check your inbox.")).toBeTruthy();
    expect(calls.at(-1)?.query.get("email")).toBe("new@company.com");
  });

  it.each(["login", "staff"] as const)(
    "[API-042] too many wrong passwords: says when, and offers the reset (%s)",
    async (mode) => {
      const words = "Too many wrong passwords. Try again in 4 minutes or reset your password.";
      const body = { detail: words, code: "RATE_LIMIT_EXCEEDED", reset_link: "/?forgot=true" };
      serve({ "POST /api/auth/login": () => json(body, 429) });
      const user = show(<Auth mode={mode} staff_domain="company.com" />);
      await user.type(screen.getByLabelText(mode === "staff" ? "Staff email" : "Email"), "alice@company.com");
      await user.type(screen.getByLabelText("Password"), "wrong-42");
      expect(screen.queryByRole("link", { name: "Reset your password" })).toBeNull();
      await user.click(press("Sign In"));
      expect((await screen.findByRole("alert")).textContent).toBe(words);
      expect(screen.getByRole("link", { name: "Reset your password" }).getAttribute("href")).toBe(
        "/?forgot=true",
      );
    },
  );

  it("[ADM-222] a suspended account is told whom to ask", async () => {
    serve({ "POST /api/auth/login": () => refusal(403, "ACCOUNT_SUSPENDED", "Account suspended") });
    const user = show(<Auth email="new@company.com" password="secret-42" support_email="help@ours.com" />);
    await user.click(press("Sign In"));
    expect((await screen.findByRole("alert")).textContent).toBe("Account suspended");
    expect(screen.getByRole("link", { name: "help@ours.com" }).getAttribute("href")).toBe(
      "mailto:help@ours.com",
    );
  });

  it("[AUTH-018] a second factor is asked for, and no token is kept before it", async () => {
    const go = watchLeaving();
    const calls = serve({ "POST /api/auth/login": needsCode, "POST /api/auth/mfa/verify": entered });
    const user = show(<Auth email="alice@company.com" password="correct horse" />);
    await user.click(press("Sign In"));
    expect(await screen.findByText("Enter the code from your authenticator app.")).toBeTruthy();
    expect(localStorage.getItem("token")).toBeNull();
    await user.type(screen.getByLabelText("Code"), " 123456 ");
    await user.click(press("Verify"));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(bodies(calls)[1]).toEqual({ mfa_token: "mfa-1", code: "123456" });
  });

  it("[AUTH-018] a wrong code may be tried again; an expired step starts over", async () => {
    const answers = [
      refusal(401, "INVALID_CODE", "That code is not right. Please try again."),
      refusal(401, "INVALID_MFA_TOKEN", "Please sign in again."),
    ];
    serve({
      "POST /api/auth/login": needsCode,
      "POST /api/auth/mfa/verify": () => answers.shift() ?? entered(),
    });
    const user = show(<Auth email="alice@company.com" password="correct horse" />);
    await user.click(press("Sign In"));
    await user.type(await screen.findByLabelText("Code"), "000000");
    await user.click(press("Verify"));
    expect((await screen.findByRole("alert")).textContent).toBe("That code is not right. Please try again.");
    await user.click(press("Verify"));
    expect(await screen.findByText("Please sign in again.")).toBeTruthy();
    await user.click(press("Start again"));
    expect(screen.getByRole("dialog", { name: "Sign in" })).toBeTruthy();
  });
});

describe("register", () => {
  async function fill(user: ReturnType<typeof show>, password = "correct-42-horse") {
    await user.type(screen.getByLabelText("Full Name"), "Nora New");
    await user.type(screen.getByLabelText("Email"), "nora@company.com");
    await user.type(screen.getByLabelText("Password"), password);
  }

  it("[AUTH-001] login and register switch in place and keep the address", async () => {
    const user = show(<Auth />);
    await user.type(screen.getByLabelText("Email"), "nora@company.com");
    await user.click(press("Create one"));
    expect(screen.getByRole("dialog", { name: "Create your account" })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("nora@company.com");
    await user.click(press("Sign in"));
    expect(screen.getByRole("dialog", { name: "Sign in" })).toBeTruthy();
  });

  it("says what a verified address is given, as the server has it", () => {
    show(<Auth mode="register" free_credits={100} />);
    expect(screen.getByText("100 free credits once your address is verified.")).toBeTruthy();
  });

  it("[AUTH-003] needs name, address and password; the company is optional", async () => {
    const calls = serve({});
    const user = show(<Auth mode="register" />);
    await user.click(press("Create account"));
    expect(await screen.findByText("Enter your full name")).toBeTruthy();
    expect(screen.getByText("Enter your email address")).toBeTruthy();
    expect(screen.getByText("Enter your password")).toBeTruthy();
    expect(screen.getByLabelText(/Company Name/).getAttribute("aria-invalid")).toBe("false");
    expect(calls).toEqual([]);
  });

  it("[AUTH-009] [AUTH-049] the screen after it says what to do and how long the link holds", async () => {
    const calls = serve({
      "POST /api/auth/register": () => json({ requires_verification: true, message: "" }),
    });
    const user = show(<Auth mode="register" />);
    await fill(user);
    await user.click(press("Create account"));
    expect(await screen.findByRole("dialog", { name: "Check your email" })).toBeTruthy();
    expect(screen.getByText(/The link expires in 24 hours/)).toBeTruthy();
    expect(bodies(calls)).toEqual([
      {
        name: "Nora New",
        email: "nora@company.com",
        password: "correct-42-horse",
        company_name: "",
        referral_code: "",
      },
    ]);
  });

  it("[REF-011] the code of the link that somebody came by goes along", async () => {
    storeInvitation("?ref=ABCD2345");
    const calls = serve({
      "POST /api/auth/register": () => json({ requires_verification: true, message: "" }),
    });
    const user = show(<Auth mode="register" />);
    await fill(user);
    await user.click(press("Create account"));
    await screen.findByRole("dialog", { name: "Check your email" });
    expect(bodies(calls)).toMatchObject([{ referral_code: "ABCD2345" }]);
  });

  it("[AUTH-011] without verification the new account is let in", async () => {
    const go = watchLeaving();
    serve({
      "POST /api/auth/register": () => json({ requires_verification: false, token: "token-9", user: {} }),
    });
    const user = show(<Auth mode="register" />);
    await fill(user);
    await user.click(press("Create account"));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard"));
    expect(localStorage.getItem("token")).toBe("token-9");
  });

  it("[AUTH-007] [AUTH-012] what the server says of a field stands at the field", async () => {
    const detail = "Password must contain letters and numbers";
    serve({
      "POST /api/auth/register": () =>
        json({ detail, code: "WEAK_PASSWORD", details: { field: "password" } }, 400),
    });
    const user = show(<Auth mode="register" />);
    await fill(user, "onlyletters");
    await user.click(press("Create account"));
    expect((await screen.findByRole("alert")).textContent).toBe(detail);
    expect(screen.getByLabelText("Password").getAttribute("aria-invalid")).toBe("true");
  });
});

describe("forgot", () => {
  it("[AUTH-021] may be sent only when the address can be one", async () => {
    const user = show(<Auth mode="forgot" />);
    const send = press("Send reset link") as HTMLButtonElement;
    const states: boolean[] = [];
    for (const text of ["a@b", "abcde", "a.b.c", "a@b.c"]) {
      await user.clear(screen.getByLabelText("Email"));
      await user.type(screen.getByLabelText("Email"), text);
      states.push(send.disabled);
    }
    expect(states).toEqual([true, true, true, false]);
  });

  it("[AUTH-022] [AUTH-033] says that the link is on its way, for any address", async () => {
    serve({ "POST /api/auth/forgot-password": () => json({ message: "" }) });
    const user = show(<Auth mode="forgot" email="nobody@company.com" />);
    await user.click(press("Send reset link"));
    expect(await screen.findByText("Password reset link sent to your email!")).toBeTruthy();
    expect(screen.getByText(/belongs to an account/)).toBeTruthy();
  });

  it.each([
    [() => refusal(429, "RATE_LIMIT_EXCEEDED", "Rate limit exceeded"), "Rate limit exceeded"],
    [() => Promise.reject(new TypeError("Failed to fetch")), "Failed to send reset link"],
  ])("[AUTH-023] a failure says why", async (answer, message) => {
    serve({ "POST /api/auth/forgot-password": answer });
    const user = show(<Auth mode="forgot" email="nobody@company.com" />);
    await user.click(press("Send reset link"));
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});

describe("partner portal", () => {
  async function tryAs(email: string) {
    const user = show(<Auth mode="staff" staff_domain="emailcheck.app" />);
    await user.type(screen.getByLabelText("Staff email"), email);
    await user.type(screen.getByLabelText("Password"), "sandbox-2026");
    await user.click(press("Sign In"));
  }

  it.each(["sam@company.com", "sam@evil-emailcheck.app", "sam@sub.emailcheck.app"])(
    "[AUTH-071] [AUTH-072] %s is turned away without a call",
    async (email) => {
      const calls = serve({});
      await tryAs(email);
      const words = "Admin access denied. Only @emailcheck.app emails are allowed.";
      expect((await screen.findByRole("alert")).textContent).toBe(words);
      expect(calls).toEqual([]);
    },
  );

  it("[AUTH-073] staff go to the staff area", async () => {
    const go = watchLeaving();
    serve({ "POST /api/auth/login": entered });
    await tryAs("Sam@EmailCheck.app");
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/admin"));
    expect(localStorage.getItem("token")).toBe("token-9");
  });

  it.each([
    [() => refusal(401, "INVALID_CREDENTIALS", "Invalid email or password"), "Invalid email or password"],
    [() => Promise.reject(new TypeError("Failed to fetch")), "Admin authentication failed"],
  ])("[AUTH-074] a failure says why", async (answer, message) => {
    serve({ "POST /api/auth/login": answer });
    await tryAs("sam@emailcheck.app");
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});

describe("Google", () => {
  const FAILED = "Google authentication failed. Please try again.";

  it("[AUTH-061] leaves for the provider with this site as the way back", () => {
    show(<Auth google />);
    const address = screen.getByRole("link", { name: "Continue with Google" }).getAttribute("href");
    expect(address).toBe(`/api/auth/google/start?return=${encodeURIComponent(location.origin)}`);
  });

  it("[REF-011] an invitation goes along to Google", () => {
    storeInvitation("?ref=ABCD2345");
    show(<Auth google />);
    const address = screen.getByRole("link", { name: "Continue with Google" }).getAttribute("href");
    expect(new URLSearchParams(address?.split("?")[1]).get("ref")).toBe("ABCD2345");
  });

  it("[AUTH-065] where it is not set up it says so and leaves for nowhere", async () => {
    const user = show(<Auth google={false} />);
    await user.click(press("Continue with Google"));
    expect((await screen.findByRole("alert")).textContent).toBe(FAILED);
  });

  it("[AUTH-062] [AUTH-063] [AUTH-064] a return swaps its code for a token and goes on after half a second", async () => {
    vi.useFakeTimers();
    const go = watchLeaving();
    const calls = serve({ "GET /api/auth/session": () => json({ id: 1, session_token: "token-g" }) });
    show(<Auth session="code-1" />);
    await vi.advanceTimersByTimeAsync(499);
    expect(go).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(go).toHaveBeenCalledExactlyOnceWith("/dashboard");
    expect(calls.map(({ headers }) => headers.get("X-Session-ID"))).toEqual(["code-1"]);
    expect(localStorage.getItem("token")).toBe("token-g");
    expect(takeFlash()).toBe("Successfully logged in with Google!");
  });

  it("[AUTH-064] a failed return shows the login with the reason", async () => {
    serve({ "GET /api/auth/session": () => refusal(401, "INVALID_SESSION", FAILED) });
    show(<Auth session="code-1" />);
    expect((await screen.findByRole("alert")).textContent).toBe(FAILED);
    expect(screen.getByRole("dialog", { name: "Sign in" })).toBeTruthy();
  });

  it("[AUTH-018] [AUTH-066] a second factor is asked for after Google too", async () => {
    serve({ "GET /api/auth/session": needsCode });
    show(<Auth session="code-1" />);
    expect(await screen.findByRole("dialog", { name: "Two-factor sign-in" })).toBeTruthy();
    expect(localStorage.getItem("token")).toBeNull();
  });
});

it("[AUTH-010] closed, the dialog leaves in the address what is the page's", async () => {
  history.replaceState(null, "", "/help-center?q=invoice&login=true#billing");
  const user = show(<Auth />);
  await user.click(press("Close dialog"));
  expect(location.pathname + location.search + location.hash).toBe("/help-center?q=invoice#billing");
});

it("[AUTH-010] closed, the dialog is forgotten by the address", async () => {
  history.replaceState(null, "", "/?login=true");
  const user = show(<Auth />);
  await user.click(press("Close dialog"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(location.search).toBe("");
});
