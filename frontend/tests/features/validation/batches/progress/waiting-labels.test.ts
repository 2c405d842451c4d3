import { describe, expect, it } from "vitest";

import type { WaitingFor } from "../../../../../src/api/types";
import {
  formatAnnouncement,
  formatTimeLeft,
  formatWaitingRows,
  getSecondsLeft,
  formatWait,
} from "../../../../../src/features/validation/batches/progress/waiting-labels";
import { waitingFor } from "../../../../data";

const NOW = new Date(2025, 2, 1, 10, 0, 0);
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();
const line = (change: Partial<WaitingFor>) => waitingFor({ until: inSeconds(110), ...change });

describe("[A6] what rows wait for", () => {
  it.each([
    [{ rows: 412, until: inSeconds(110) }, "412 rows wait for Yahoo's limit, about 2 min"],
    [{ rows: 1, until: inSeconds(12) }, "1 row waits for Yahoo's limit, about 20 s"],
    [{ rows: 7, reason: "session" }, "7 rows wait for a free connection to Yahoo, about 2 min"],
    [{ rows: 7, reason: "egress" }, "7 rows wait for Yahoo to let our own addresses in again, about 2 min"],
    [{ rows: 7, reason: "lookup" }, "7 rows wait for their domains to be looked up, about 2 min"],
  ] as const)("is said of our limits: %j", (change, words) => {
    expect(formatWait(line(change), NOW)).toBe(words);
  });

  it("is said of hosts without a name", () => {
    const other = { operator: "", name: "other mail hosts", rows: 20 };
    expect(formatWait(line(other), NOW)).toBe("20 rows wait for our limits at other mail hosts, about 2 min");
    expect(formatWait(line({ ...other, reason: "session" }), NOW)).toBe(
      "20 rows wait for a free connection to other mail hosts, about 2 min",
    );
  });

  it("has a time of day where others said when, with the day where it is another one", () => {
    const greylisted = { operator: "", name: "", reason: "greylisting", rows: 30 } as const;
    const today = new Date(2025, 2, 1, 14, 20).toISOString();
    const tomorrow = new Date(2025, 2, 2, 9, 10).toISOString();
    expect(formatWait(line({ ...greylisted, until: today }), NOW)).toBe(
      "30 rows wait for servers that asked us to come back later, until 14:20",
    );
    expect(formatWait(line({ ...greylisted, reason: "providers", until: tomorrow }), NOW)).toBe(
      "30 rows wait for outside providers, until 2 Mar, 09:10",
    );
  });

  it("is due once its time is over", () => {
    expect(formatWait(line({ rows: 25, until: inSeconds(0) }), NOW)).toBe(
      "25 rows wait for Yahoo's limit, due now",
    );
  });

  it("is summed up with the right verb", () => {
    expect([1, 1_200].map(formatWaitingRows)).toEqual(["1 row waits", "1,200 rows wait"]);
  });
});

it("[A6] reads out what rows wait for, the same however many they are and whoever has most", () => {
  const yahoo = line({ rows: 412 });
  const greylisted = line({ operator: "", name: "", reason: "greylisting", rows: 30 });
  const words = "Rows wait for Yahoo's limit, for servers that asked us to come back later.";
  expect(formatAnnouncement([yahoo, greylisted])).toBe(words);
  expect(formatAnnouncement([{ ...greylisted, rows: 31 }, line({ rows: 12, until: inSeconds(9) })])).toBe(
    words,
  );
  expect(formatAnnouncement([])).toBe("");
});

describe("[A6] the time left", () => {
  it("is what was answered, but never less than what waits", () => {
    const waiting_for = [line({ until: inSeconds(110) }), line({ until: inSeconds(40) })];
    expect(getSecondsLeft({ seconds_left: 300, waiting_for }, NOW)).toBe(300);
    expect(getSecondsLeft({ seconds_left: 6, waiting_for }, NOW)).toBe(110);
    expect(getSecondsLeft({ seconds_left: 6, waiting_for: [] }, NOW)).toBe(6);
  });

  it.each([
    [{ rows: 120, reason: "greylisting" }, "about 5 min, 120 addresses are asked again at 10:04"],
    [{ rows: 1, reason: "greylisting" }, "about 5 min, 1 address is asked again at 10:04"],
    [{ rows: 120, reason: "rate" }, "5 min"],
  ] as const)("[REP-046] [E5] says who is asked again, and when: %j", (change, words) => {
    const waiting_for = [line({ ...change, until: inSeconds(245) })];
    expect(formatTimeLeft({ seconds_left: 300, waiting_for }, NOW)).toBe(words);
    expect(formatTimeLeft({ seconds_left: null, waiting_for }, NOW)).toBe("–");
  });

  it("is unknown where the answer does not say it", () => {
    expect(getSecondsLeft({ seconds_left: null, waiting_for: [line({})] }, NOW)).toBeNull();
  });
});
