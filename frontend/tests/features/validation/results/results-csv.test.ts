import { describe, expect, it } from "vitest";

import {
  countRows,
  fileNames,
  formatResultsCsv,
  buildSummaryHeader,
} from "../../../../src/features/validation/results/results-csv";
import { batch, resultRow } from "../../../data";

describe("[VAL-061] file names", () => {
  it("are the documented ones", () => {
    const day = "2025-03-01";
    expect(fileNames.bulk("b1", day)).toBe("bulk-validation-b1-2025-03-01.csv");
    expect(fileNames.individuals(day)).toBe("individual-validations-2025-03-01.csv");
    expect(fileNames.individual("anna@company.com", day)).toBe(
      "individual-validation-anna-at-company.com-2025-03-01.csv",
    );
    expect(fileNames.batch("list.csv", [], day)).toBe("batch-list-2025-03-01.csv");
  });

  it("[VAL-071] name the scope of a detailed history", () => {
    expect(fileNames.history("all", "2025-03-01")).toBe("detailed-history-all-2025-03-01.csv");
    expect(fileNames.history("b1", "2025-03-01")).toBe("detailed-history-b1-2025-03-01.csv");
  });

  it("hold nothing that a file system refuses", () => {
    expect(fileNames.batch('a/b\\c:d*e?"f"<g>|h\n.csv', [], "2025-03-01")).toBe(
      "batch-a-b-c-d-e--f--g--h--2025-03-01.csv",
    );
  });
});

describe("exports", () => {
  it("[VAL-066] start with a summary for bulk and history", () => {
    const header = buildSummaryHeader("list.csv", batch(), new Date("2025-03-02T08:00:00Z"));
    expect(header).toEqual([
      ["list.csv"],
      ["Exported", "2025-03-02T08:00:00.000Z"],
      ["Total", 10],
      ["Valid", 5],
      ["Catch-all", 1],
      ["Unknown", 1],
      ["Invalid", 2],
      ["Disposable", 1],
      ["Spam trap", 0],
      ["Safe to send", 6],
      ["Risky to send", 1],
      ["Do not send", 3],
      [],
    ]);
  });

  it("carry one line a result under the column names", () => {
    const lines = formatResultsCsv([resultRow()]).split("\r\n");
    expect(lines).toEqual([
      '"email","category","label","confidence","reason","syntax_valid","domain_valid","smtp_valid","is_disposable","is_catch_all","is_spam_trap","free_email","explanation","validated_at","checks"',
      '"anna@company.com","valid","Safe to send","97%","mailbox_exists","true","true","true","false","false","","false","The mail server accepted the mailbox.","2025-03-01T10:00:00Z","full"',
      "",
    ]);
  });

  it("count rows by the rule of the server", () => {
    const rows = [
      resultRow(),
      resultRow({ category: "catch_all", valid: false, confidence_score: 0.7 }),
      resultRow({ category: "unknown", valid: false, confidence_score: 0.4 }),
      resultRow({ category: "disposable", valid: false, confidence_score: 0.9 }),
    ];
    expect(countRows(rows)).toEqual({
      total_emails: 4,
      valid_count: 1,
      invalid_count: 0,
      unknown_count: 1,
      catch_all_count: 1,
      disposable_count: 1,
      spam_trap_count: 0,
      safe_to_send_count: 2,
      risky_count: 1,
    });
  });
});
