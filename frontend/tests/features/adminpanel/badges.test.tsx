import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";

import { UserMarks } from "../../../src/features/adminpanel/customers/user-badges";
import { IncidentBadge } from "../../../src/features/adminpanel/incidents/incident-drawer";
import { Measure, StateBadge } from "../../../src/features/adminpanel/measures";
import { PaymentBadge } from "../../../src/features/adminpanel/payments/payment-badge";
import { JobBadge } from "../../../src/features/adminpanel/system/job-badge";
import { LevelBadge } from "../../../src/features/adminpanel/system/level-badge";
import { ContractBadge } from "../../../src/features/crm/contracts/contract-badge";
import { MessageBadge } from "../../../src/features/crm/messages/message-drawer";
import { QuoteBadge } from "../../../src/features/quotes/quote-badge";
import { quote } from "../../quotes";
import { BOB } from "../../staff-users";

const MAINTENANCE = {
  id: 1,
  kind: "maintenance" as const,
  title: "Move",
  services: [],
  started_at: "2030-01-31T04:00:00Z",
  ended_at: "2030-01-31T05:00:00Z",
  note: "",
};

function listTones(page: ReactNode): string[] {
  const { container } = render(page);
  return [...container.querySelectorAll("[class*=tone-]")].map(
    ({ className }) => /tone-(\S+)/.exec(className)?.[1] ?? "",
  );
}

it("colours of verdicts are not on what is none: records are plain, and faults are problems", () => {
  const tones = listTones(
    <>
      {(["active", "expiring", "expired", "cancelled"] as const).map((status) => (
        <ContractBadge key={status} status={status} />
      ))}
      {(["running", "completed"] as const).map((status) => (
        <JobBadge key={status} status={status} />
      ))}
      {["captured", "refunded", "pending"].map((status) => (
        <PaymentBadge key={status} status={status} />
      ))}
      {(["new", "answered", "closed"] as const).map((state) => (
        <MessageBadge key={state} state={state} />
      ))}
      {(["INFO", "WARNING", "DEBUG"] as const).map((level) => (
        <LevelBadge key={level} level={level} />
      ))}
      <QuoteBadge quote={quote()} />
      <IncidentBadge incident={MAINTENANCE} />
      <StateBadge state={["good", "Working"]} />
      <StateBadge state={["waiting", "Backing off"]} />
      <UserMarks user={{ ...BOB, role: "admin", email_verified: false }} />
    </>,
  );
  expect(tones.length).toBeGreaterThan(19);
  expect(new Set(tones)).toEqual(new Set(["plain"]));
});

it("faults have the one colour of problems", () => {
  const tones = listTones(
    <>
      <JobBadge status="failed" />
      <PaymentBadge status="failed" />
      <LevelBadge level="ERROR" />
      <StateBadge state={["fault", "Down"]} />
      <StateBadge state={["warning", "Degraded"]} />
      <IncidentBadge incident={{ ...MAINTENANCE, kind: "incident", ended_at: null }} />
      <UserMarks user={{ ...BOB, status: "suspended", email_verified: false, role: "user" }} />
    </>,
  );
  expect(tones).toEqual([
    "problem",
    "problem",
    "problem",
    "problem",
    "problem",
    "problem",
    "problem",
    "plain",
  ]);
});

it("[MON-006] figures keep the green, yellow and red of their limits", () => {
  const tones = listTones(
    <dl>
      <Measure name="Success rate" value="99%" state={["good", "Good"]} />
      <Measure name="Success rate" value="96%" state={["warning", "Fair"]} />
      <Measure name="Success rate" value="90%" state={["fault", "Low"]} />
      <Measure name="Success rate" value={null} state={["good", "Good"]} />
    </dl>,
  );
  expect(tones).toEqual(["valid", "risky", "invalid"]);
});
