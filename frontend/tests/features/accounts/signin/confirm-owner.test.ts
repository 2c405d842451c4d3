import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";

import "../../../../src/features/accounts/signin/confirm-owner";
// Loaded on demand; here beforehand, so that no test waits for them.
import "../../../../src/features/accounts/signin/confirm-owner-dialog";
import { api } from "../../../../src/lib/client";
import { ApiError } from "../../../../src/lib/errors";
import { storeToken } from "../../../../src/lib/session";
import "../../../../src/render";
import { json, refusal, serve } from "../../../server";

const DETAIL = "Please confirm your password or code to continue.";

/** A server that asks for a proof until `password` was given; answers what was called. */
function guarded(password = "right") {
  let confirmed = false;
  const guard = () => (confirmed ? json({ totp: true }) : refusal(403, "REAUTH_REQUIRED", DETAIL));
  return serve({
    "POST /api/user/mfa/totp": guard,
    "POST /api/user/mfa/recovery-codes": guard,
    "POST /api/auth/reauthenticate": ({ body }) => {
      const given = JSON.parse(body) as { password?: string; code?: string };
      confirmed = given.password === password || given.code === "123456";
      return confirmed
        ? json({ valid_until: "2026-03-01T12:15:00Z" })
        : refusal(400, "INVALID_CREDENTIALS", "That password or code is not right.");
    },
  });
}

describe("[SEC-015] what asks who is there once more", () => {
  beforeEach(() => storeToken("token"));

  test("is repeated, with what was sent, once the password was given", async () => {
    const calls = guarded();
    const user = userEvent.setup();
    const answer = api.POST("/api/user/mfa/recovery-codes", { body: { code: "000111" } });
    await screen.findByRole("dialog", { name: "Confirm that it is you" });
    await user.click(screen.getByRole("button", { name: "Confirm" }));
    expect(screen.getByText("Enter your password")).toBeTruthy();
    await user.type(screen.getByLabelText("Password"), "wrong{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("That password or code is not right.");
    await user.clear(screen.getByLabelText("Password"));
    await user.type(screen.getByLabelText("Password"), "right{Enter}");
    expect((await answer).data).toEqual({ totp: true });
    expect(screen.queryByRole("dialog")).toBeNull();
    const sent = calls.filter(({ path }) => path === "/api/user/mfa/recovery-codes");
    expect(sent.map(({ body }) => body)).toEqual(['{"code":"000111"}', '{"code":"000111"}']);
  });

  test("takes a code instead", async () => {
    guarded();
    const user = userEvent.setup();
    const answer = api.POST("/api/user/mfa/totp");
    await user.click(await screen.findByRole("button", { name: "Use a code from the authenticator app" }));
    await user.type(screen.getByLabelText("Code from the app"), " 123456 {Enter}");
    expect((await answer).data).toEqual({ totp: true });
  });

  test("asks once for several calls at the same time", async () => {
    const calls = guarded();
    const user = userEvent.setup();
    const answers = [1, 2, 3].map(() => api.POST("/api/user/mfa/totp"));
    await user.type(await screen.findByLabelText("Password"), "right{Enter}");
    const got = await Promise.all(answers);
    expect(got.map(({ data }) => data)).toEqual([{ totp: true }, { totp: true }, { totp: true }]);
    expect(calls.filter(({ path }) => path === "/api/auth/reauthenticate")).toHaveLength(1);
  });

  test("fails with its reason when the dialog is left, and asks again the next time", async () => {
    guarded();
    const user = userEvent.setup();
    for (let round = 0; round < 2; round += 1) {
      const failure = api.POST("/api/user/mfa/totp").catch((error: unknown) => error);
      await screen.findByRole("dialog");
      await user.keyboard("{Escape}");
      expect(await failure).toMatchObject({ status: 403, code: "REAUTH_REQUIRED", detail: DETAIL });
      expect(await failure).toBeInstanceOf(ApiError);
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
  });
});
