// Copies of the product beside the one that the browser tests share.
import { spawn } from "node:child_process";

import { expect, type Page } from "@playwright/test";

const ROOT = `${__dirname}/../..`;

export interface Product {
  address: string;
  end: () => Promise<void>;
}

/** Starts a copy of the product by a module of these tests; answers once it does. */
async function startProduct(module: string, words: readonly string[]): Promise<Product> {
  const process = spawn(`${ROOT}/.venv/bin/python`, ["-m", module, ...words], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    process.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
    process.once("exit", (code) => reject(new Error(`${module} ended with ${String(code)}`)));
  });
  const end = async () => {
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.stdin.end();
    await ended;
  };
  return { address, end };
}

/** With one administrator and nothing else, for what pages show before anything has happened. */
export function startEmptyProduct(email: string, password: string): Promise<Product> {
  return startProduct("tests.e2e.empty", [email, password]);
}

/** With what is seeded, which asks operators only so many times a minute. */
export function startSlowProduct(perMinute: Record<string, number>): Promise<Product> {
  const rates = Object.entries(perMinute).map(([operator, rate]) => `${operator}=${rate}`);
  return startProduct("tests.e2e.slow", rates);
}

/** Signs in by the call of the dialog, at the product of that address; the page is at a file of the site then. */
export async function signInAt(page: Page, address: string, email: string, password: string): Promise<void> {
  const answer = await page.request.post(`${address}/api/auth/login`, { data: { email, password } });
  expect(answer.status()).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  await page.goto(`${address}/robots.txt`);
  await page.evaluate((value) => localStorage.setItem("token", value), token);
}
