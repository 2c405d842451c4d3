// A copy of the product with one administrator and nothing else, for what pages show before anything has happened.
import { spawn } from "node:child_process";

import { expect, type Page } from "@playwright/test";

const ROOT = `${__dirname}/../..`;

export interface Product {
  address: string;
  end: () => Promise<void>;
}

export async function emptyProduct(email: string, password: string): Promise<Product> {
  const process = spawn(`${ROOT}/.venv/bin/python`, ["-m", "tests.e2e.empty", email, password], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    process.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
    process.once("exit", (code) => reject(new Error(`the empty product ended with ${String(code)}`)));
  });
  const end = async () => {
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.stdin.end();
    await ended;
  };
  return { address, end };
}

/** Signs in by the call of the dialog, at the product of that address; the page is at a file of the site then. */
export async function signInAt(page: Page, address: string, email: string, password: string): Promise<void> {
  const answer = await page.request.post(`${address}/api/auth/login`, { data: { email, password } });
  expect(answer.status()).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  await page.goto(`${address}/robots.txt`);
  await page.evaluate((value) => localStorage.setItem("token", value), token);
}
