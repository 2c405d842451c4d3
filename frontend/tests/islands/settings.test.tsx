import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import Settings from "../../src/islands/settings";
import { getInitials } from "../../src/ui/avatar";
import { navigation } from "../../src/lib/session";
import { choose, show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const NOW = "2026-03-01T10:00:00Z";
const HELP = {
  answers: [{ question: "Why?", answer: "<p>Because.</p>" }],
  support_email: "help@company.com",
};
const key = {
  id: 7,
  name: "CRM sync",
  prefix: "ec_live_AbCd",
  created_at: NOW,
  last_used_at: null,
  scopes: ["read"],
  expires_at: null,
  daily_credit_cap: 500,
  allowed_ips: ["203.0.113.0/24"],
  test: false,
};
const session = (id: string, current: boolean) => ({
  id,
  device: `Chrome ${id}`,
  ip: "203.0.113.9",
  created_at: NOW,
  last_used_at: NOW,
  current,
});

const LOADS: Record<string, Handler> = {
  "GET /api/auth/me": () =>
    json({
      name: "Alice Alder",
      email: "alice@company.com",
      company: "Alder",
      address: null,
      subscription_plan: "growth",
    }),
  "GET /api/credits": () => json({ credits: 1234 }),
  "GET /api/user/mfa": () => json({ totp: false, recovery_codes_left: 0, required: false }),
  "GET /api/user/sessions": () => json({ sessions: [session("a", true), session("b", false)] }),
  "GET /api/user/activity": () => json({ activity: [], next: null }),
  "GET /api/user/requests": () => json({ requests: [], next: null }),
  "GET /api/user/api-keys": () => json({ keys: [key] }),
  "GET /api/user/first-hour": () => json({ key: NOW, call: NOW, webhook: NOW, list: NOW }),
  "GET /api/status": () =>
    json({ overall: "Partial System Outage", services: [], incidents: [], checked_at: NOW }),
  "GET /api/user/webhooks": () => json({ webhooks: [] }),
  "GET /api/organisation/leaked-keys": () => json({ revoke_leaked_keys: true }),
};

function open(
  tab: string,
  handlers: Record<string, Handler> = {},
  help: { support_phone?: string; chat?: string } = {},
) {
  history.replaceState(null, "", `/account-settings?tab=${tab}`);
  const calls = serve({ ...LOADS, ...handlers });
  const user = show(<Settings {...HELP} support_phone="" chat="" {...help} />);
  return { calls, user };
}

const press = (name: string | RegExp) => screen.getByRole("button", { name });
const find = (name: string | RegExp) => screen.findByRole("button", { name });
const sent = (calls: Call[], method: string) => calls.filter((call) => call.method === method);
const bodyOf = (call: Call | undefined) => JSON.parse(call?.body ?? "null") as unknown;

it("[SET-003] [SET-006] has six tabs, and an unknown one in the address shows the first", async () => {
  open("nonsense");
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
    "Profile Settings",
    "Manage Subscription",
    "Payment Methods",
    "Password Reset",
    "Help Center",
    "Privacy",
  ]);
  expect(await screen.findByLabelText("Name")).toBeTruthy();
});

it("[SET-004] initials are of the first and the last word", () => {
  expect(["Alice B. Alder", "Cher", " ", "élan vital"].map(getInitials)).toEqual(["AA", "C", "", "ÉV"]);
});

describe("profile", () => {
  it("[SET-004] [SET-005] [SET-009] is filled in, saved and said to be saved; the address is fixed", async () => {
    const saved = {
      name: "Al Alder",
      email: "alice@company.com",
      company: "Alder",
      address: "",
      message: "Profile updated successfully!",
    };
    const { calls, user } = open("profile", { "PUT /api/user/profile": () => json(saved) });
    const name = await screen.findByLabelText("Name");
    expect(screen.getByLabelText<HTMLInputElement>("Email").disabled).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>(/^Company/).value).toBe("Alder");
    await user.clear(name);
    await user.type(name, "Al Alder");
    await user.click(press("Save profile"));
    expect(await screen.findByText("Profile updated successfully!")).toBeTruthy();
    expect(bodyOf(sent(calls, "PUT")[0])).toEqual({
      name: "Al Alder",
      company: "Alder",
      address: "",
      vat_id: "",
    });
  });

  it("[SET-007] needs a name, and a failure is said instead of success", async () => {
    const { calls, user } = open("profile", {
      "PUT /api/user/profile": () => Promise.reject(new TypeError("no network")),
    });
    const name = await screen.findByLabelText("Name");
    await user.clear(name);
    await user.click(press("Save profile"));
    expect(await screen.findByText("Enter your name")).toBeTruthy();
    expect(sent(calls, "PUT")).toEqual([]);
    await user.type(name, "Al");
    await user.click(press("Save profile"));
    expect((await screen.findAllByText("Failed to update profile")).length).toBeGreaterThan(0);
    expect(screen.queryByText("Profile updated successfully!")).toBeNull();
  });
});

describe("second factor", () => {
  it("[AUTH-018] is set up with a key and a code, and shows its recovery codes once", async () => {
    const setup = { secret: "JBSWY3DPEHPK3PXP", otpauth_url: "otpauth://totp/x", qr_svg: "<svg/>" };
    const { calls, user } = open("profile", {
      "POST /api/user/mfa/totp": () => json(setup),
      "POST /api/user/mfa/totp/confirm": () => json({ recovery_codes: ["1111-2222", "3333-4444"] }),
    });
    await user.click(await find("Turn on"));
    expect((await screen.findByLabelText("Key for the authenticator app")).textContent).toBe(setup.secret);
    expect(screen.getByRole("img", { name: /QR/ }).getAttribute("src")).toBe(
      "data:image/svg+xml,%3Csvg%2F%3E",
    );
    await user.type(screen.getByLabelText("Code from the app"), "123456");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Turn on" }));
    const codes = within(await screen.findByRole("list", { name: "Recovery codes" })).getAllByRole(
      "listitem",
    );
    expect(codes.map(({ textContent }) => textContent)).toEqual(["1111-2222", "3333-4444"]);
    expect(await screen.findByText("Two-factor sign-in is on")).toBeTruthy();
    await user.click(press("I have kept them"));
    expect(screen.queryByText("1111-2222")).toBeNull();
    expect(bodyOf(calls.find(({ path }) => path.endsWith("/confirm")))).toEqual({ code: "123456" });
  });

  it("[AUTH-018] is turned off by a code; a wrong one changes nothing", async () => {
    const answers = [refusal(400, "INVALID_CODE", "That code is not right. Please try again.")];
    const { user } = open("profile", {
      "GET /api/user/mfa": () => json({ totp: true, recovery_codes_left: 2, required: false }),
      "DELETE /api/user/mfa/totp": () => answers.shift() ?? json({ message: "" }),
    });
    await user.click(await find("Turn off"));
    const dialog = within(screen.getByRole("dialog"));
    await user.type(dialog.getByLabelText("Code"), "000000");
    await user.click(dialog.getByRole("button", { name: "Turn off" }));
    expect(await dialog.findByText("That code is not right. Please try again.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Turn off" }));
    expect(await screen.findByText("Two-factor sign-in is off")).toBeTruthy();
  });

  it("[AUTH-018] cannot be turned off where it is required", async () => {
    open("profile", {
      "GET /api/user/mfa": () => json({ totp: true, recovery_codes_left: 9, required: true }),
    });
    expect(await screen.findByText("Two-factor sign-in is required for staff")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Turn off" })).toBeNull();
  });
});

describe("sessions and activity", () => {
  it("[AUTH-019] one session is ended by its own button", async () => {
    const { calls, user } = open("profile", {
      "DELETE /api/user/sessions/b": () => json({ message: "Signed out" }),
    });
    expect(await screen.findByText("This device")).toBeTruthy();
    await user.click(press("Sign out Chrome b"));
    expect(await screen.findByText("Signed out")).toBeTruthy();
    expect(sent(calls, "DELETE").map(({ path }) => path)).toEqual(["/api/user/sessions/b"]);
  });

  it("[AUTH-019] everywhere means here too, after a question", async () => {
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const { calls, user } = open("profile", {
      "DELETE /api/user/sessions": () => json({ message: "", ended_count: 2 }),
    });
    await user.click(await find("Sign out everywhere"));
    expect(sent(calls, "DELETE")).toEqual([]);
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Sign out everywhere" }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/?left=1"));
    expect(localStorage.getItem("token")).toBeNull();
  });

  it("[SET-061] activity is paged, filtered, and marks what staff did", async () => {
    const line = (action: string, by_staff = false) => ({ time: NOW, action, ip: "203.0.113.9", by_staff });
    const { user } = open("profile", {
      "GET /api/user/activity": ({ query }) => {
        if (query.get("kind") === "key") return json({ activity: [], next: null });
        if (query.get("cursor") === "c2") return json({ activity: [line("Signed in")], next: null });
        return json({ activity: [line("Credits granted", true)], next: "c2" });
      },
    });
    expect((await screen.findByText("Credits granted")).parentElement?.textContent).toContain("Staff");
    await user.click(press("Show more"));
    expect(await screen.findByText("Signed in")).toBeTruthy();
    await user.selectOptions(screen.getByLabelText("Kind of activity"), "key");
    expect(await screen.findByText("No activity of the kind API keys")).toBeTruthy();
    expect(location.search).toBe("?tab=profile&kind=key");
    await user.click(press("Clear filter"));
    expect(await screen.findByText("Credits granted")).toBeTruthy();
    expect(location.search).toBe("?tab=profile");
  });

  it("[DOC-035] the filters of the request log are in the address", async () => {
    const { calls, user } = open("profile&status=4xx&key=7&path=/api/validate&request_id=none");
    expect(await screen.findByText("No requests match")).toBeTruthy();
    const asked = () => calls.filter(({ path }) => path === "/api/user/requests").map(({ query }) => query);
    expect(Object.fromEntries(asked()[0] ?? [])).toEqual({
      status: "4xx",
      key: "7",
      path: "/api/validate",
      request_id: "none",
    });
    await user.selectOptions(screen.getByLabelText("Status"), "5xx");
    expect(new URLSearchParams(location.search).get("status")).toBe("5xx");
    await user.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("No requests yet")).toBeTruthy();
    expect(location.search).toBe("?tab=profile");
  });
});

describe("API keys", () => {
  it("[DOC-043] [DOC-044] [DOC-045] a key is made with its limits and shown once", async () => {
    const made = {
      id: 8,
      name: "Shop",
      key: "ec_live_secret",
      prefix: "ec_live_se",
      mode: "live",
      scopes: ["read"],
      expires_at: null,
      daily_credit_cap: 20,
      allowed_ips: ["198.51.100.7"],
    };
    const { calls, user } = open("profile", { "POST /api/user/api-keys": () => json(made, 201) });
    expect(await screen.findByText("read only · 500 credits a day · from 203.0.113.0/24")).toBeTruthy();
    await user.click(press("Create API key"));
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Create key" }));
    expect(sent(calls, "POST")).toEqual([]);
    await user.type(dialog.getByLabelText("Name"), "Shop");
    await user.click(dialog.getByRole("checkbox", { name: /Write/ }));
    await user.type(dialog.getByLabelText(/^Credits a day/), "20");
    await user.type(dialog.getByLabelText(/^Allowed IP/), "198.51.100.7");
    await user.click(dialog.getByRole("button", { name: "Create key" }));
    expect((await screen.findByLabelText("API key")).textContent).toBe("ec_live_secret");
    expect(bodyOf(sent(calls, "POST")[0])).toEqual({
      name: "Shop",
      scopes: ["read"],
      expires_at: null,
      daily_credit_cap: 20,
      allowed_ips: ["198.51.100.7"],
      test: false,
    });
    const facts = within(screen.getByRole("dialog")).getAllByRole("definition");
    expect(facts.map(({ textContent }) => textContent)).toEqual([
      "Live",
      "read only",
      "never",
      "20 credits",
      "198.51.100.7",
    ]);
    await user.click(press("I have kept it"));
    expect(screen.queryByText("ec_live_secret")).toBeNull();
  });

  it("[DOC-044] a key is revoked after a question", async () => {
    const { calls, user } = open("profile", {
      "DELETE /api/user/api-keys/7": () => json({ message: "The API key was revoked." }),
    });
    await choose(user, "CRM sync", "Revoke CRM sync");
    expect(sent(calls, "DELETE")).toEqual([]);
    await user.click(press("Revoke key"));
    expect(await screen.findByText("The API key was revoked.")).toBeTruthy();
  });
});

describe("password, help", () => {
  it("[SET-021] [SET-023] [SET-024] a reset mail is sent to the registered address; there is no password field", async () => {
    const { calls, user } = open("password", {
      "POST /api/auth/forgot-password": () => json({ message: "" }),
    });
    expect((await screen.findByLabelText<HTMLInputElement>("Registered email")).value).toBe(
      "alice@company.com",
    );
    expect(document.querySelector("input[type=password]")).toBeNull();
    for (const requirement of ["At least 8 characters", "Letters and numbers"]) {
      expect(screen.getByText(requirement)).toBeTruthy();
    }
    await user.click(press("Send password reset email"));
    expect(await screen.findByText("Password reset link sent to your email!")).toBeTruthy();
    expect(bodyOf(sent(calls, "POST")[0])).toEqual({ email: "alice@company.com" });
  });

  it("[SET-022] a failure says so", async () => {
    const { user } = open("password", {
      "POST /api/auth/forgot-password": () => Promise.reject(new TypeError("no network")),
    });
    await user.click(await find("Send password reset email"));
    expect(await screen.findByText("Failed to send password reset email")).toBeTruthy();
  });

  it("[J5] [SET-034] [DEC-033] the hours of the phone stand also without a number", async () => {
    open("help");
    expect(await screen.findByText("Phone support is not configured")).toBeTruthy();
    expect(screen.getByText("Monday to Friday, 9AM-6PM EST")).toBeTruthy();
  });

  it("[SET-031] [SET-037] [SET-039] what is not configured says so", async () => {
    const { user } = open("help");
    expect(await screen.findByText("Phone support is not configured")).toBeTruthy();
    await user.click(press("Open live chat"));
    expect(await screen.findByText("Chat widget not available. Please refresh the page.")).toBeTruthy();
    expect(document.querySelector("script[src]")).toBeNull();
  });

  it("[SET-031] [SET-032] chat waits for consent, and the phone number is in a toast", async () => {
    const { user } = open("help", {}, { chat: "https://chat.example/w.js", support_phone: "+1 555 0100" });
    await user.click(await screen.findByRole("button", { name: "Show phone number" }));
    expect(await screen.findByText("+1 555 0100")).toBeTruthy();
    await user.click(press("Live chat needs your consent"));
    expect(document.querySelector("script[src]")).toBeNull();
    await user.click(press("Agree and open"));
    expect(document.querySelector("script[src]")?.getAttribute("src")).toBe("https://chat.example/w.js");
    expect(press("Open live chat")).toBeTruthy();
    document.querySelector("script[src]")?.dispatchEvent(new Event("error"));
    expect(await screen.findByText("Chat widget not available. Please refresh the page.")).toBeTruthy();
  });

  it("[SET-034] [SET-031] a time of reply is promised for a chat that can open", async () => {
    open("help", {}, { chat: "https://chat.example/w.js" });
    expect(await screen.findByText("Average reply under 2 minutes")).toBeTruthy();
    expect(screen.queryByText("Not set up on this installation")).toBeNull();
  });

  it("[SET-033] [SET-038] the measured status stands above, and leads to the status page", async () => {
    open("help");
    expect((await screen.findByText("Partial System Outage")).className).toBe("badge tone-risky");
    const link = screen.getByRole("link", { name: "Status of each service" });
    expect(link.getAttribute("href")).toBe("/status");
  });

  it("[SET-038] without an answer no status is claimed", async () => {
    open("help", { "GET /api/status": () => refusal(503, "UNAVAILABLE", "") });
    await screen.findByText("Phone support is not configured");
    expect(screen.queryByText(/System/)).toBeNull();
  });

  it("[SET-034] [SET-040] each promise is bound to its channel", async () => {
    open("help", {}, { support_phone: "+1 555 0100" });
    await screen.findByRole("heading", { name: "Live chat" });
    const channels = ["Live chat", "Email support", "Phone support"].map(
      (name) => screen.getByRole("heading", { name }).nextElementSibling?.textContent,
    );
    expect(channels).toEqual([
      "Not set up on this installation",
      "Messages accepted 24/7, reply within 24 hours",
      "Monday to Friday, 9AM-6PM EST",
    ]);
    expect(screen.getByText("We aim for 99.9% uptime.")).toBeTruthy();
  });
});
