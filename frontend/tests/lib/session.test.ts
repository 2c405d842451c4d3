import { screen } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { api, readData } from "../../src/lib/client";
import { ApiError } from "../../src/lib/errors";
import { signOut } from "../../src/features/accounts/signin/sessions/sign-out";
import { navigation } from "../../src/lib/session";
import { json, refusal, serve, type Call } from "../server";

const credits = () => readData(api.GET("/api/credits"));

/** The API refuses every token but the second. */
function onlySecondToken({ headers }: Call): Response {
  const good = headers.get("Authorization") === "Bearer token-2";
  return good ? json({ credits: 5 }) : refusal(401, "NOT_AUTHENTICATED", "Authentication required");
}

describe("[AUTH-017] an expired token", () => {
  it("is renewed once for all calls that met it, and each is sent again", async () => {
    const calls = serve({
      "GET /api/credits": onlySecondToken,
      "POST /api/auth/refresh": () => json({ token: "token-2", expires_in: 900 }),
    });
    const answers = await Promise.all([credits(), credits(), credits()]);
    expect(answers).toEqual([{ credits: 5 }, { credits: 5 }, { credits: 5 }]);
    expect(calls.filter(({ path }) => path === "/api/auth/refresh")).toHaveLength(1);
    expect(localStorage.getItem("token")).toBe("token-2");
  });

  it("is renewed to the end when its page is left meanwhile, which would lose the new cookie", async () => {
    const calls = serve({
      "GET /api/credits": onlySecondToken,
      "POST /api/auth/refresh": () => json({ token: "token-2", expires_in: 900 }),
    });
    await credits();
    expect(calls.map(({ path, keepalive }) => [path, keepalive])).toEqual([
      ["/api/credits", false],
      ["/api/auth/refresh", true],
      ["/api/credits", false],
    ]);
  });

  it("is not renewed when another tab has just done so", async () => {
    const calls = serve({
      "GET /api/credits": (call) => {
        localStorage.setItem("token", "token-2");
        return onlySecondToken(call);
      },
    });
    expect(await credits()).toEqual({ credits: 5 });
    expect(calls.map(({ path }) => path)).toEqual(["/api/credits", "/api/credits"]);
  });

  it("ends the session when the renewal is refused", async () => {
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    serve({
      "GET /api/credits": onlySecondToken,
      "POST /api/auth/refresh": () =>
        refusal(401, "SESSION_ENDED", "Your session has ended. Please sign in again."),
    });
    await expect(credits()).rejects.toMatchObject({ status: 401, code: "SESSION_ENDED", requestId: "req-7" });
    expect(localStorage.getItem("token")).toBeNull();
    expect(go).toHaveBeenCalledExactlyOnceWith("/?ended=1");
  });

  it.each([
    ["the server fails", () => refusal(503, "UNAVAILABLE", ""), 503],
    ["there is no network", () => Promise.reject(new TypeError("Failed to fetch")), 0],
  ])("[AUTH-015] keeps the token when %s", async (_, answer, status) => {
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    serve({ "GET /api/credits": onlySecondToken, "POST /api/auth/refresh": answer });
    await expect(credits()).rejects.toMatchObject({ status });
    expect(localStorage.getItem("token")).toBe("token-1");
    expect(go).not.toHaveBeenCalled();
  });
});

it("[AUTH-006] every call carries the stored token", async () => {
  const calls = serve({ "GET /api/credits": () => json({ credits: 1 }) });
  await credits();
  expect(calls.map(({ headers }) => headers.get("Authorization"))).toEqual(["Bearer token-1"]);
});

it("a refusal is an ApiError with the server's detail", async () => {
  serve({
    "GET /api/credits": () => refusal(403, "QUOTA_EXCEEDED", "Insufficient credits. You need 2 but have 1."),
  });
  const error: unknown = await credits().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 403,
    code: "QUOTA_EXCEEDED",
    detail: "Insufficient credits. You need 2 but have 1.",
    requestId: "req-7",
  });
});

const signedOut = () => json({ message: "You are signed out." });

it("[AUTH-014] logout clears the token and goes home when the server answers", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  localStorage.setItem("token", "token-1");
  const calls = serve({ "POST /api/auth/logout": signedOut });
  await signOut();
  expect(calls.map(({ path, body }) => [path, body])).toEqual([["/api/auth/logout", ""]]);
  expect([localStorage.getItem("token"), document.cookie]).toEqual([null, ""]);
  expect(go).toHaveBeenCalledExactlyOnceWith("/");
});

it.each([
  ["is silent", () => Promise.reject(new TypeError("Failed to fetch")), { sid: 42 }, "42"],
  ["is ill", () => refusal(503, "UNAVAILABLE", "Later."), {}, "current"],
] as const)(
  "[AUTH-014] while the server %s logout clears the token, marks the session and says so until it is done",
  async (_, fails, claims, mark) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    const token = `x.${btoa(JSON.stringify(claims))}.x`;
    localStorage.setItem("token", token);
    let answer: () => Response | Promise<Response> = fails;
    const calls = serve({ "POST /api/auth/logout": () => answer() });
    document.body.innerHTML = "<p>Welcome, Alice</p>";
    onTestFinished(() => document.body.replaceChildren());
    await signOut();
    expect((await screen.findByRole("alert")).textContent).toContain("Not signed out yet");
    expect(screen.queryByText("Welcome, Alice")).toBeNull();
    expect([localStorage.getItem("token"), document.cookie]).toEqual([null, `signed_out=${mark}`]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(go).not.toHaveBeenCalled();
    answer = signedOut;
    await vi.advanceTimersByTimeAsync(9_000);
    expect(go).toHaveBeenCalledExactlyOnceWith("/");
    expect(document.cookie).toBe("");
    const sent = calls.map(({ headers }) => headers.get("Authorization"));
    expect(sent).toEqual([`Bearer ${token}`, null, null]);
    vi.useRealTimers();
  },
);

it("[AUTH-014] logout goes home also where calls on their way are refused because of it", async () => {
  const go = vi.spyOn(navigation, "go").mockReturnValue();
  localStorage.setItem("token", "token-1");
  const ended = () => refusal(401, "SESSION_ENDED", "Your session has ended. Please sign in again.");
  serve({
    "POST /api/auth/logout": async () => {
      await credits().catch(() => undefined);
      return signedOut();
    },
    "GET /api/credits": ended,
    "POST /api/auth/refresh": ended,
  });
  await signOut();
  await expect(credits()).rejects.toMatchObject({ status: 401 });
  expect(go).toHaveBeenCalledExactlyOnceWith("/");
});
