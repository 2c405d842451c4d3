import { takeChosenOffer } from "../../billing/catalogue/chosen-offer";
import { readData, openApi } from "../../../lib/client";
import { getRefusal } from "../../../lib/errors";
import { storeFlash } from "../../../lib/flash";
import { takeReturnPath } from "../../../lib/return-path";
import { findLeftPlace } from "../../../lib/left-place";
import { navigation, storeToken } from "../../../lib/session";
import { getPerson } from "../../../lib/token-claims";
import { removeOthersUnsent } from "../../../lib/unsent/store";

export const GOOGLE_FAILED = "Google authentication failed. Please try again.";
const GOOGLE_MS = 500;

/** Says in the address of the page where a password is chosen that the one before was for one sign-in. */
export const ONE_TIME = "one-time";

/** Where a sign-in leads, and what it says there. */
export interface SignInTarget {
  to: "/dashboard" | "/admin" | "/account-settings?tab=profile#webhooks";
  welcome: string;
}

export const TO_DASHBOARD: SignInTarget = { to: "/dashboard", welcome: "Welcome back!" };
export const TO_WEBHOOKS: SignInTarget = {
  to: "/account-settings?tab=profile#webhooks",
  welcome: "Welcome back!",
};
/** For somebody whose address was verified just now. */
export const TO_FIRST_CHECK: SignInTarget = { to: "/dashboard", welcome: "Welcome to EmailCheck!" };
export const TO_ADMIN: SignInTarget = { to: "/admin", welcome: "Welcome back!" };
export const FROM_GOOGLE: SignInTarget = { to: "/dashboard", welcome: "Successfully logged in with Google!" };

/**
 * Keeps the token and goes on: back to where a session of the same person ended in this tab, or to the offer that was
 * chosen before. What somebody else typed here is removed. Answers true: the page is being left.
 */
export function startSession(token: string, { to, welcome }: SignInTarget): true {
  const person = getPerson(token);
  storeToken(token);
  storeFlash(welcome);
  removeOthersUnsent(person);
  const chosen = to === "/dashboard" ? takeChosenOffer() : null;
  navigation.go(findLeftPlace(person) ?? takeReturnPath() ?? chosen ?? to);
  return true;
}

/** The token with which a second factor is asked for, when that is why a sign-in was refused. */
export function getSecondFactorToken(error: unknown): string | null {
  return getRefusal(error, "MFA_REQUIRED")?.body.mfa_token ?? null;
}

/** The token of a right pair. With a password that somebody else chose, the way leads to choosing another. */
async function requestToken(body: { email: string; password: string }): Promise<string> {
  try {
    return (await readData(openApi.POST("/api/auth/login", { body }))).token;
  } catch (error) {
    const token = getRefusal(error, "PASSWORD_CHANGE_REQUIRED")?.body.reset_token;
    if (token === undefined) throw error;
    navigation.go(`/reset-password?token=${encodeURIComponent(token)}&${ONE_TIME}`);
    return new Promise<string>(() => undefined);
  }
}

type SecondFactorHandler = (mfaToken: string, arrival: SignInTarget) => void;

/** Goes on with the token of a sign-in; where a second factor is asked for, hands over to it and stays. */
async function startSessionWith(
  token: Promise<string>,
  arrival: SignInTarget,
  onSecondFactor: SecondFactorHandler,
): Promise<boolean> {
  try {
    return startSession(await token, arrival);
  } catch (error) {
    const mfaToken = getSecondFactorToken(error);
    if (mfaToken === null) throw error;
    onSecondFactor(mfaToken, arrival);
    return false;
  }
}

export function signIn(
  pair: { email: string; password: string },
  arrival: SignInTarget,
  onSecondFactor: SecondFactorHandler,
): Promise<boolean> {
  return startSessionWith(requestToken(pair), arrival, onSecondFactor);
}

/** The address that Google does not vouch for, when that is why a return from there was refused. */
export function getUnprovenAddress(error: unknown): string | null {
  return getRefusal(error, "GOOGLE_UNPROVEN")?.body.email ?? null;
}

/** Links the Google account that came back to the account with its address, and goes on. */
export function linkGoogleAccount(password: string, onSecondFactor: SecondFactorHandler): Promise<boolean> {
  const answer = readData(openApi.POST("/api/auth/google/link", { body: { password } }));
  return startSessionWith(
    answer.then(({ token }) => token),
    FROM_GOOGLE,
    onSecondFactor,
  );
}

/** Has a link mailed that makes an account for the Google account that came back. */
export async function mailGoogleLink(): Promise<void> {
  await openApi.POST("/api/auth/google/mail");
}

export async function verifyCode(mfa_token: string, code: string): Promise<string> {
  return (await readData(openApi.POST("/api/auth/mfa/verify", { body: { mfa_token, code } }))).token;
}

/** Swaps the one-time code that came back from Google for a token, and goes on after half a second. */
export async function completeGoogleSignIn(session: string): Promise<void> {
  const params = { header: { "X-Session-ID": session } };
  const { session_token } = await readData(openApi.GET("/api/auth/session", { params }));
  await new Promise((resolve) => setTimeout(resolve, GOOGLE_MS));
  startSession(session_token, FROM_GOOGLE);
}

export async function resendVerification(email: string): Promise<string> {
  const request = { params: { query: { email } }, body: { email } };
  return (await readData(openApi.POST("/api/auth/resend-verification", request))).message;
}
