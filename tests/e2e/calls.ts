// Calls of the API as whoever is signed in on a page, and code of the product's shell.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";

import { expect, type Page } from "@playwright/test";

const ROOT = `${__dirname}/../..`;

/** Answers what the call answers; it must not be refused. */
export async function callApi<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const token = await page.evaluate(() => localStorage.getItem("token"));
  const headers = { Authorization: `Bearer ${token ?? ""}`, "Idempotency-Key": randomUUID() };
  const answer = await page.request.fetch(path, { method, headers, data });
  expect(answer.ok(), `${method} ${path}: ${answer.ok() ? "" : await answer.text()}`).toBe(true);
  return (answer.status() === 204 ? undefined : await answer.json()) as T;
}

/** Runs a management command of the product under test, or of the one that the environment names; what it printed. */
export function runManagementCommand(words: string[], environment: Record<string, string> = {}): string {
  const env = { ...process.env, ...environment };
  return execFileSync(".venv/bin/python", ["manage.py", ...words], {
    cwd: ROOT,
    encoding: "utf8",
    env,
    stdio: "pipe",
  });
}

/** Runs lines of code in the product's shell (shell.py); what they printed. */
export async function runShell(...lines: readonly string[]): Promise<string> {
  const answer = await fetch(process.env.SHELL_URL ?? "", { method: "POST", body: lines.join("\n") });
  const printed = await answer.text();
  if (!answer.ok) throw new Error(printed);
  return printed;
}
