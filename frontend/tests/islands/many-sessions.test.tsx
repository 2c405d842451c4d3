import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { Sessions } from "../../src/features/accounts/signin/sessions/session-list";
import { show } from "../render";
import { json, serve } from "../server";

const NOW = "2026-03-01T10:00:00Z";

const sessionsOf = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    id: String(number),
    device: `curl ${number}`,
    ip: null,
    created_at: NOW,
    last_used_at: NOW,
    current: number === 0,
  }));

it("[AUTH-019] shows ten of many, and all when asked", async () => {
  serve({ "GET /api/user/sessions": () => json({ sessions: sessionsOf(45) }) });
  const user = show(<Sessions />);
  const more = await screen.findByRole("button", { name: "Show all 45 sessions" });
  expect(screen.getAllByRole("listitem")).toHaveLength(10);
  await user.click(more);
  expect(screen.getAllByRole("listitem")).toHaveLength(45);
  expect(screen.queryByRole("button", { name: /^Show all/ })).toBeNull();
});

it("[AUTH-019] where a hundred sessions are listed, older ones may be open", async () => {
  serve({ "GET /api/user/sessions": () => json({ sessions: sessionsOf(100) }) });
  show(<Sessions />);
  expect(await screen.findByText(/These are the 100 used last/)).toBeTruthy();
});
