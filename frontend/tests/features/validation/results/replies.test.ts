import { expect, it } from "vitest";

import {
  findDecidingReply,
  findHost,
  listStops,
  listStopsOfRow,
  sortByWeight,
} from "../../../../src/features/validation/results/replies";
import { splitTurns } from "../../../../src/ui/dialogue";
import { result, resultRow } from "../../../data";

type Check = ReturnType<typeof result>["evidence"][number];

function check(name: string, outcome: Check["outcome"], detail = "", time_ms: number | null = null): Check {
  return { check: name, outcome, detail, source: "", time_ms, expires_at: null };
}

const ACCEPTED = [
  check("syntax", "pass"),
  check("domain", "pass", "the domain exists", 4.8),
  check("mail_hosts", "pass", "10 mx.example.com", 4.8),
  check("mail_host_address", "pass", "mx.example.com is 11.20.0.17"),
  check("smtp_connection", "pass", "mx.example.com ESMTP", 8),
  check("smtp_encryption", "skipped", "not offered"),
  check("smtp_sender", "pass"),
  check("mailbox", "pass", "250 2.1.5 Ok", 1),
];
const TRANSCRIPT = [
  "C: RCPT TO:<a@example.com>",
  "S: 250 2.1.5 Ok",
  "C: RCPT TO:<(random)@example.com>",
  "S: 250 2.1.5 Also ok",
];

it("the stops say how each was answered, and how long it took", () => {
  const states = (stops: ReturnType<typeof listStops>) => stops.map(({ state }) => state).join(" ");
  const accepted = listStops({ evidence: ACCEPTED, category: "valid" });
  expect(states(accepted)).toBe("yes yes yes unasked yes yes");
  expect(accepted.map(({ ms }) => ms)).toEqual([null, 4.8, 12.8, null, null, 1]);
  expect(states(listStops({ evidence: ACCEPTED, category: "catch_all" }))).toBe(
    "yes yes yes unasked yes all",
  );
  const refused = [...ACCEPTED.slice(0, -1), check("mailbox", "fail", "550 5.1.1 No such user")];
  expect(states(listStops({ evidence: refused, category: "invalid" }))).toBe(
    "yes yes yes unasked yes refused",
  );
  const silent = ACCEPTED.map((one) =>
    one.check === "smtp_connection" ? { ...one, outcome: "unknown" as const } : one,
  );
  expect(states(listStops({ evidence: silent, category: "unknown" }))).toBe("yes yes silent unasked yes yes");
});

it("the deciding reply is the server's, and for a catch-all the one to the made-up name", () => {
  const valid = result({ evidence: ACCEPTED, transcript: TRANSCRIPT, category: "valid" });
  expect(findDecidingReply(valid)).toEqual({ words: "250 2.1.5 Ok", ms: 1 });
  expect(findDecidingReply({ ...valid, category: "catch_all" })).toEqual({
    words: "250 2.1.5 Also ok",
    ms: null,
  });
  expect(findDecidingReply({ ...valid, category: "catch_all", transcript: TRANSCRIPT.slice(0, 2) })).toEqual({
    words: "250 2.1.5 Ok",
    ms: 1,
  });
  expect(
    findDecidingReply(result({ evidence: [check("mailbox", "unknown", "timeout")], transcript: [] })),
  ).toBeNull();
  expect(findHost(valid)).toBe("mx.example.com");
});

it("a row knows of four stops, and silence is no refusal", () => {
  const ends = (row: Parameters<typeof resultRow>[0]) =>
    listStopsOfRow(resultRow(row))
      .map(({ state }) => state)
      .join(" ");
  expect(ends({ smtp_valid: true, is_catch_all: false })).toBe("yes yes yes yes");
  expect(ends({ smtp_valid: true, is_catch_all: true })).toBe("yes yes yes all");
  expect(ends({ smtp_valid: false, reason: "mailbox_full" })).toBe("yes yes yes refused");
  expect(ends({ smtp_valid: null, reason: "mailbox_full" })).toBe("yes yes yes silent");
  expect(ends({ smtp_valid: null, reason: "connect_failed" })).toBe("yes yes silent unasked");
  expect(ends({ smtp_valid: null, reason: "not_in_plan" })).toBe("yes yes unasked unasked");
  expect(ends({ smtp_valid: null, domain_valid: false, reason: "null_mx" })).toBe("yes yes refused unasked");
  expect(ends({ smtp_valid: null, domain_valid: false, reason: "no_domain" })).toBe(
    "yes refused unasked unasked",
  );
  expect(ends({ syntax_valid: false, domain_valid: null, smtp_valid: null, reason: "syntax" })).toBe(
    "refused unasked unasked unasked",
  );
});

it("what speaks against an address comes first", () => {
  const evidence = [
    check("a", "skipped"),
    check("b", "pass"),
    check("c", "warn"),
    check("d", "fail"),
    check("e", "unknown"),
  ];
  expect(
    sortByWeight(evidence)
      .map(({ check: name }) => name)
      .join(""),
  ).toBe("dceba");
});

it("lines of one speaker that follow each other are one turn", () => {
  expect(splitTurns(["S: 220 ready", "C: EHLO us", "S: 250-mx", "S: 250 PIPELINING"])).toEqual([
    { speaker: "host", lines: ["220 ready"] },
    { speaker: "us", lines: ["EHLO us"] },
    { speaker: "host", lines: ["250-mx", "250 PIPELINING"] },
  ]);
});
