// A messy export of a customer's contacts, from its upload to the file for the newsletter program.
import { randomInt } from "node:crypto";

import { expect, type Download, type Locator, type Page } from "@playwright/test";

import { runShell } from "./calls";
import { PATIENTLY, test } from "./cast";
import { signUpByHand } from "./newcomer";
import { expectReadable, expectReadablePage } from "./page-checks";

const PLAIN = 1_050;
const SYLLABLES = ["ba", "ne", "ri", "lo", "tu", "ka", "mi", "so", "de", "va", "pe", "go"];

interface Contacts {
  rows: string[][];
  /** The addresses of the first rows, as they come out of their cells. */
  first: string[];
}

/** As a spreadsheet of Western Europe saves it: title rows, two columns, names, brackets, umlauts, formulas. */
function buildContacts(): Contacts {
  // Letters and vowels, as people call their mailboxes.
  const group = Array.from({ length: 4 }, () => SYLLABLES[randomInt(SYLLABLES.length)]).join("");
  const at = (name: string) => `${name}.${group}@harborquill.com`;
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const first = [
    at("ida"),
    at("juergen"),
    at("juergen.privat"),
    at("carl"),
    at("dora"),
    at("emil"),
    at("frieda"),
  ];
  const [ida = "", juergen = "", personal = "", carl = "", dora = "", emil = "", frieda = ""] = first;
  return {
    first,
    rows: [
      ["Kontakte – Müller GmbH", "", "", "", ""].map((cell) => cell.replace("–", "-")),
      ["Fragen an support@mueller-gmbh.com", "", "", "", ""],
      ["Vorname", "Nachname", "E-Mail", "E-Mail privat", "Notiz"],
      ["Ida", "Größ", `Ida Größ <${ida}>`, "", "=1+1"],
      ["Jürgen", "Groß", quoted(`"Groß, Jürgen" <${juergen}>`), personal, "+44 20 7946 0000"],
      ["Carl", "Ähre", `mailto:${carl}?subject=Hallo`, "", "-0,12"],
      ["Dora", "Öl", quoted(`${dora}; ${emil}`), `${ida}.`, "@SUM(A1)"],
      ["Frieda", "Übel", `${frieda} (privat)`, "", "Straße 5"],
      ["Gerd", "Meier", "bitte anrufen", "", ""],
      ["Hanna", "Muster", `hanna.${group}@gmial.com`, "", ""],
      ...Array.from({ length: PLAIN }, (_, number) => ["Gast", String(number), at(`gast${number}`), "", ""]),
    ],
  };
}

async function save(page: Page, button: Locator): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return file;
}

/** The rows of CSV files as another reader sees them: those of the zip by name, or of a file alone. */
async function readCsv(file: Download, delimiter = ","): Promise<Record<string, string[][]>> {
  const printed = await runShell(
    "import csv, io, json, zipfile",
    `path, delimiter = ${JSON.stringify(await file.path())}, ${JSON.stringify(delimiter)}`,
    "read = lambda data, code: list(csv.reader(io.StringIO(data.decode(code), newline=''), delimiter=delimiter))",
    "whole = zipfile.ZipFile(path) if zipfile.is_zipfile(path) else None",
    "names = [name for name in whole.namelist() if name.endswith('.csv')] if whole else []",
    "code = 'cp1252' if delimiter == ';' else 'utf-8'",
    "found = {name: read(whole.read(name), code) for name in names} if whole else {'': read(open(path, 'rb').read(), code)}",
    "print(json.dumps(found))",
  );
  return JSON.parse(printed) as Record<string, string[][]>;
}

/** The file in a new account: its columns, its repairs, a sample, and as much as the credits pay for. */
async function review(page: Page, { rows, first }: Contacts): Promise<void> {
  await page.getByLabel("File with addresses").setInputFiles({
    name: "kontakte.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(rows.map((row) => row.join(";")).join("\r\n"), "latin1"),
  });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Header is row")).toHaveValue("3");
  await expect(page.getByText("Rows 1 to 2 are title rows", { exact: false })).toBeVisible();
  await page.getByRole("checkbox", { name: /E-Mail privat/ }).check();
  await expectReadable(page);
  await page.getByRole("button", { name: "Continue" }).click();

  const list = page.getByRole("region", { name: "Upload" });
  const needed = (PLAIN + first.length + 1).toLocaleString("en");
  await expect(list.getByRole("heading", { name: "7 addresses repaired" })).toBeVisible();
  await expect(list.getByRole("heading", { name: "1 likely typing error" })).toBeVisible();
  await list.getByRole("button", { name: "Use all" }).click();
  await expect(list.getByText("The suggestion")).toBeVisible();
  await expect(list.getByRole("alert")).toContainText(`You need ${needed} and have 100.`);
  await list.getByRole("alert").getByRole("button", { name: "Free sample" }).click();
  await expect(list.getByText("An estimate from 100 random addresses", { exact: false })).toBeVisible(
    PATIENTLY,
  );
  await expectReadable(page);
  await list.getByRole("button", { name: /^Check the first/ }).click();
  // What the sample had of the first hundred is free.
  await expect(list.getByText(/^At most (100|\d\d) credits$/)).toBeVisible();
  await list.getByRole("button", { name: "Start validation" }).click();
}

/** The zip has every checked address once. Answers how many may be written to. */
async function expectWholeZip(page: Page, first: readonly string[]): Promise<number> {
  const parts = await readCsv(await save(page, page.getByRole("button", { name: "All in one zip" })));
  expect(Object.keys(parts)).toEqual(["send.csv", "review.csv", "suppress.csv"]);
  const [[header = []] = [], send = []] = [Object.values(parts)[0], parts["send.csv"]];
  const column = header.indexOf("email_checked");
  const emails = Object.values(parts).flatMap((lines) => lines.slice(1).map((line) => line[column]));
  expect(new Set(emails).size).toBe(emails.length);
  expect(emails).toEqual(expect.arrayContaining([...first, "bitte anrufen"]));
  return send.length - 1;
}

async function expectMailchimpFile(page: Page, first: readonly string[], sendable: number): Promise<void> {
  const button = page.getByRole("button", { name: "Download safe addresses for Mailchimp" });
  const { "": lines = [] } = await readCsv(await save(page, button));
  const [header = [], ...people] = lines;
  expect(header.slice(0, 4)).toEqual(["Email Address", "First Name", "Last Name", "Tags"]);
  expect(people).toHaveLength(sendable);
  const names = new Map(people.map(([email, ...others]) => [email, others.slice(0, 3)]));
  expect(names.get(first[0])).toEqual(["Ida", "Größ", "valid"]);
  expect(names.get(first[1])).toEqual(["Jürgen", "Groß", "valid"]);
}

/** The uploaded rows come back as they were, inert, and what was left out says so. */
async function expectOriginalFile(page: Page, { rows, first }: Contacts): Promise<void> {
  const button = page.getByRole("button", { name: "Original file with results" });
  const { "": lines = [] } = await readCsv(await save(page, button), ";");
  const cells = (line: readonly string[]) => line.slice(0, 5).join("|");
  expect(lines).toHaveLength(rows.length);
  expect(lines.slice(0, 2).map(cells)).toEqual(rows.slice(0, 2).map(cells));
  const notes = lines.slice(3, 7).map((line) => line[4]);
  expect(notes).toEqual(["'=1+1", "+44 20 7946 0000", "-0,12", "'@SUM(A1)"]);
  expect(lines[6]?.[5]).toBe(`${first[4]}; ${first[5]}`);
  const reason = lines[2]?.indexOf("E-Mail: reason");
  expect(lines.map((line) => line[reason ?? -1]).at(-1)).toBe("not_checked");
}

test("[REP-001] [REP-043] [REP-032] a messy export is repaired, sampled, checked and handed on", async ({
  page,
}) => {
  test.slow();
  const contacts = buildContacts();
  await page.goto("/");
  await signUpByHand(page);
  await page.goto("/dashboard");
  await review(page, contacts);
  await page.getByRole("link", { name: "Next steps" }).first().click(PATIENTLY);
  await expect(page.getByRole("heading", { level: 1, name: "Next steps" })).toBeVisible();
  await expectReadablePage(page);
  const sendable = await expectWholeZip(page, contacts.first);
  await expectMailchimpFile(page, contacts.first, sendable);
  await expectOriginalFile(page, contacts);
});
