import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { TeamAudit } from "../../../../src/features/accounts/rules/team-audit";
import { TeamRules } from "../../../../src/features/accounts/rules/team-rules";
import { show } from "../../../render";
import { json, refusal, serve, type Handler } from "../../../server";

const RULES = {
  second_factor_from: null as string | null,
  missing: ["Bob Birch"] as string[] | null,
  networks: [] as string[],
  may_set_networks: true,
  your_address: "203.0.113.7",
};
const DOMAIN = {
  id: 4,
  name: "alder.com",
  record_name: "_emailcheck.alder.com",
  record_value: "emailcheck-domain=5e1f",
  google_required: false,
  created_at: "2026-11-20T10:00:00Z",
  proved_at: null as string | null,
  asked_at: null,
  lost_at: null as string | null,
};

function handlers(role: string, rules: object, domains: object[] = []): Record<string, Handler> {
  return {
    "GET /api/auth/me": () => json({ organisation: { id: "org_1", name: "Alder", role, rights: [] } }),
    "GET /api/organisation/rules": () => json({ ...RULES, ...rules }),
    "GET /api/organisation/domains": () => json({ domains, google_available: true }),
  };
}

test("an owner requires a second factor after so many days, and sees who lacks one", async () => {
  const calls = serve({
    ...handlers("owner", {}),
    "PUT /api/organisation/rules": () => json({ ...RULES, second_factor_from: "2026-12-04T10:00:00Z" }),
  });
  const user = show(<TeamRules />);
  await screen.findByText("Bob Birch");
  await user.click(await screen.findByRole("button", { name: "Require it of all" }));
  await user.selectOptions(screen.getByLabelText("From when"), "In 14 days");
  await user.click(screen.getByRole("button", { name: "Require it" }));
  await screen.findByRole("button", { name: "Lift the rule" });
  const sent = calls.find(({ method }) => method === "PUT");
  expect(JSON.parse(sent?.body ?? "")).toEqual({ second_factor: true, grace_days: 14 });
});

test("who does not manage the organisation sees the rules and changes none", async () => {
  serve(
    handlers("viewer", { missing: null, networks: ["203.0.113.0/24"], may_set_networks: false }, [DOMAIN]),
  );
  show(<TeamRules />);
  await screen.findByText("203.0.113.0/24");
  await screen.findByText("alder.com");
  expect(screen.queryByText("Without a second factor")).toBeNull();
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("[TEA-007] whoever acts for an agency sees the networks of a client and changes none", async () => {
  serve(handlers("admin", { networks: ["203.0.113.0/24"], may_set_networks: false }));
  show(<TeamRules />);
  await screen.findByText("203.0.113.0/24");
  expect(screen.queryByRole("button", { name: "Save networks" })).toBeNull();
});

test("networks that leave the own address out are refused beside the field", async () => {
  const calls = serve({
    ...handlers("admin", {}),
    "PUT /api/organisation/rules": ({ body }) =>
      body.includes("203.0.113.7")
        ? json({ ...RULES, networks: ["198.51.100.0/24", "203.0.113.7"] })
        : json(
            {
              code: "OWN_ADDRESS_OUTSIDE",
              detail: "Your own address is in none of these.",
              details: { field: "networks" },
            },
            400,
          ),
  });
  const user = show(<TeamRules />);
  const field = await screen.findByLabelText("Allowed addresses and networks");
  await user.type(field, "198.51.100.0/24");
  await user.click(screen.getByRole("button", { name: "Save networks" }));
  await screen.findByText("Your own address is in none of these.");
  await user.click(screen.getByRole("button", { name: "Add it" }));
  await user.click(screen.getByRole("button", { name: "Save networks" }));
  await screen.findByText("The networks were saved.");
  const bodies = calls
    .filter(({ method }) => method === "PUT")
    .map(({ body }) => JSON.parse(body) as unknown);
  expect(bodies.at(-1)).toEqual({ grace_days: 0, networks: ["198.51.100.0/24", "203.0.113.7"] });
});

test("[TEA-011] [TEA-024] a domain shows its record until DNS proves it, and then offers Google; SAML is not offered", async () => {
  let domain = DOMAIN;
  let asked = 0;
  const calls = serve({
    ...handlers("admin", {}),
    "GET /api/organisation/domains": () => json({ domains: [domain], google_available: true }),
    "POST /api/organisation/domains/4/check": () => {
      asked += 1;
      if (asked === 1) return json({ domain, found: "unknown" });
      domain = { ...DOMAIN, proved_at: "2026-11-21T10:00:00Z" };
      return json({ domain, found: "proved" });
    },
    "PUT /api/organisation/domains/4": () => {
      domain = { ...domain, google_required: true };
      return json(domain);
    },
  });
  const user = show(<TeamRules />);
  await screen.findByText("emailcheck-domain=5e1f");
  expect(screen.queryByRole("button", { name: "Require Google" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Check now" }));
  await screen.findByText("DNS did not answer. Try again in a moment.");
  await user.click(screen.getByRole("button", { name: "Check now" }));
  await user.click(await screen.findByRole("button", { name: "Require Google" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Require Google" }));
  await screen.findByText("Google only");
  expect(screen.queryByText("emailcheck-domain=5e1f")).toBeNull();
  expect(calls.find(({ method }) => method === "PUT")?.body).toBe('{"google_required":true}');
  expect(screen.getByText(/SAML is not/)).toBeTruthy();
});

test("rules that did not load say so and can be asked for again", async () => {
  let down = true;
  serve({
    ...handlers("owner", {}),
    "GET /api/organisation/rules": () => (down ? refusal(500, "INTERNAL_ERROR", "") : json(RULES)),
  });
  const user = show(<TeamRules />);
  await screen.findByText("Failed to load the rules", {}, { timeout: 10_000 });
  expect(screen.queryByText("Bob Birch")).toBeNull();
  down = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("Bob Birch");
});

const LINE = {
  time: "2026-11-20T10:00:00Z",
  who: "Bob Birch",
  role: "admin",
  via: null,
  kind: "key",
  action: "API key ec_live_1 was changed: scopes",
  target: "ec_live_1",
  changes: { scopes: [["read", "write"], ["read"]] },
  ip: "203.0.113.5",
};

test("the audit says who did what, and what it was and is; filters go along", async () => {
  const calls = serve({
    "GET /api/organisation/audit": ({ query }) =>
      json({ lines: query.get("kind") === "member" ? [] : [LINE], next_cursor: null }),
  });
  const user = show(<TeamAudit />);
  const row = await screen.findByRole("row", { name: /Bob Birch/ });
  expect(row.textContent).toContain("scopes: read, write → read");
  await user.selectOptions(screen.getByLabelText("Kind"), "Members");
  await screen.findByText("Nothing matches the filters");
  await waitFor(() => expect(calls.at(-1)?.query.get("kind")).toBe("member"));
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await screen.findByRole("row", { name: /Bob Birch/ });
});
