import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { Sessions } from "../../src/features/settings/sessions";
import { show } from "../render";
import { json, serve } from "../server";

const NOW = "2026-03-01T10:00:00Z";

it("[AUTH-019] where a hundred sessions are listed, older ones may be open", async () => {
  const sessions = Array.from({ length: 100 }, (_, number) => ({
    id: String(number),
    device: "curl",
    ip: null,
    created_at: NOW,
    last_used_at: NOW,
    current: number === 0,
  }));
  serve({ "GET /api/user/sessions": () => json({ sessions }) });
  show(<Sessions />);
  expect(await screen.findByText(/These are the 100 used last/)).toBeTruthy();
});
