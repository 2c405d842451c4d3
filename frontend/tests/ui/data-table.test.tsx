import { screen, waitFor, within } from "@testing-library/react";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { api, readData } from "../../src/lib/client";
import type { Column } from "../../src/ui/data-table/columns";
import { DataTable } from "../../src/ui/data-table/data-table";
import { FilterBar } from "../../src/ui/data-table/filter-bar";
import { CursorPager, NumberedPager } from "../../src/ui/data-table/pager";
import { QueryTable } from "../../src/ui/data-table/query-table";
import { SaveButton } from "../../src/ui/data-table/save-button";
import { BulkBar, useSelection } from "../../src/ui/data-table/selection";
import { readSorting } from "../../src/ui/data-table/sorting";
import { useTableView } from "../../src/ui/data-table/use-table-view";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

interface Fruit {
  name: string;
  price: number;
}

const FRUIT: readonly Fruit[] = [
  { name: "Apple", price: 1200 },
  { name: "=Pear", price: 7 },
  { name: "Plum", price: 30 },
];
const COLUMNS: readonly Column<Fruit>[] = [
  { key: "name", title: "Name", sort: "up", opens: true, cell: ({ name }) => name, csv: ({ name }) => name },
  {
    key: "price",
    title: "Price",
    hint: "In cents",
    sort: "down",
    align: "number",
    cell: ({ price }) => `${price} ct`,
    note: ({ price }) => (price > 1000 ? "dear" : null),
    csv: ({ price }) => price,
  },
  { key: "origin", title: "Origin", hideBelow: "narrow", labelled: false, cell: () => "here" },
];

const getKey = ({ name }: Fruit) => name;
const nameOf = (box: HTMLElement) => box.getAttribute("aria-label");
const sortOf = (name: string) => screen.getByRole("columnheader", { name }).getAttribute("aria-sort");

beforeEach(() => history.replaceState(null, "", "/fruit"));

describe("a table of given rows", () => {
  it("has titles, cells with their classes and labels, and a name", () => {
    show(<DataTable label="Fruit" phone="cards" columns={COLUMNS} rows={FRUIT} getKey={getKey} />);
    const table = screen.getByRole("table", { name: "Fruit" });
    expect(table.className).toBe("table table-cards table-rows");
    const [head, , second] = within(table).getAllByRole("row");
    expect(head?.textContent).toBe("NamePriceOrigin");
    expect(screen.getByRole("columnheader", { name: "Price" }).title).toBe("In cents");
    const cells = within(table).getAllByRole("cell").slice(0, 3);
    expect(cells.map(({ textContent }) => textContent)).toEqual(["Apple", "1200 ctdear", "here"]);
    expect(cells.map(({ className }) => className)).toEqual(["", "number", "only-wide"]);
    expect(cells.map(({ dataset }) => dataset.label)).toEqual([undefined, "Price", undefined]);
    expect(second?.textContent).toBe("=Pear7 cthere");
  });

  it("does not sort where nobody asked for that", () => {
    show(<DataTable label="Fruit" columns={COLUMNS} rows={FRUIT} getKey={getKey} />);
    expect(sortOf("Name")).toBeNull();
    expect(within(screen.getByRole("columnheader", { name: "Name" })).queryByRole("button")).toBeNull();
  });

  it("opens a row by pointer and by keyboard", async () => {
    const onOpen = vi.fn();
    const user = show(
      <DataTable label="Fruit" columns={COLUMNS} rows={FRUIT} getKey={getKey} onOpen={onOpen} />,
    );
    await user.click(screen.getByRole("button", { name: "Plum" }));
    await user.tab({ shift: true });
    await user.keyboard("{Enter}");
    expect(onOpen.mock.calls).toEqual([[FRUIT[2]], [FRUIT[1]]]);
  });
});

function Sorted({ first }: { first: string }): ReactNode {
  const [order, setOrder] = useState(first);
  const sorting = readSorting(order, setOrder);
  return (
    <>
      <DataTable label="Fruit" columns={COLUMNS} rows={FRUIT} getKey={getKey} sorting={sorting} />
      <output>{order}</output>
    </>
  );
}

describe("sorting", () => {
  it("turns round at the second press, begins each column its own way, and keeps the focus", async () => {
    const user = show(<Sorted first="-name" />);
    expect([sortOf("Name"), sortOf("Price"), sortOf("Origin")]).toEqual(["descending", "none", null]);
    const price = screen.getByRole("button", { name: "Price" });
    await user.click(price);
    expect(screen.getByText("-price")).toBeTruthy();
    expect([sortOf("Name"), sortOf("Price")]).toEqual(["none", "descending"]);
    await user.keyboard("{Enter}");
    expect(sortOf("Price")).toBe("ascending");
    expect(document.activeElement).toBe(price);
    await user.tab({ shift: true });
    await user.keyboard(" ");
    expect([sortOf("Name"), sortOf("Price")]).toEqual(["ascending", "none"]);
    expect(screen.getByText("name")).toBeTruthy();
  });
});

function Selected({ onDone }: { onDone: (rows: readonly Fruit[]) => void }): ReactNode {
  const [rows, setRows] = useState(FRUIT);
  const selection = useSelection({ rows, getKey, getLabel: ({ name }) => `Select ${name}` });
  const bar = (
    <BulkBar selection={selection}>
      <button onClick={() => onDone(selection.rows)}>Eat</button>
      <button onClick={() => setRows(FRUIT.slice(1))}>Drop the first</button>
    </BulkBar>
  );
  return (
    <DataTable label="Fruit" columns={[selection.column, ...COLUMNS]} rows={rows} getKey={getKey} bar={bar} />
  );
}

describe("selection", () => {
  const all = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all rows" });
  const ticked = () =>
    screen
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked)
      .map(nameOf);

  it("is of single rows, of all, and of none, in the order of the table", async () => {
    const onDone = vi.fn();
    const user = show(<Selected onDone={onDone} />);
    expect(screen.queryByRole("group", { name: "Selected rows" })).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "Select Plum" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Apple" }));
    expect(screen.getByRole("status").textContent).toBe("2 selected");
    expect([all().checked, all().indeterminate]).toEqual([false, true]);
    await user.click(screen.getByRole("button", { name: "Eat" }));
    expect(onDone).toHaveBeenCalledExactlyOnceWith([FRUIT[0], FRUIT[2]]);
    await user.click(all());
    expect(ticked()).toHaveLength(4);
    expect(all().indeterminate).toBe(false);
    await user.click(screen.getByRole("checkbox", { name: "Select Plum" }));
    expect(ticked()).toEqual(["Select Apple", "Select =Pear"]);
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
    expect(ticked()).toEqual([]);
    expect(screen.queryByRole("group", { name: "Selected rows" })).toBeNull();
  });

  it("ends with the row that is no longer shown", async () => {
    const user = show(<Selected onDone={vi.fn()} />);
    await user.click(all());
    await user.click(screen.getByRole("button", { name: "Drop the first" }));
    expect(screen.getByRole("status").textContent).toBe("2 selected");
    expect(all().checked).toBe(true);
    await user.click(all());
    expect(ticked()).toEqual([]);
  });
});

it("a file has the columns that have words for it, and the rows as they are shown, inert", async () => {
  const parts: BlobPart[][] = [];
  const names: string[] = [];
  vi.stubGlobal(
    "Blob",
    class extends Blob {
      constructor(given: BlobPart[], options: BlobPropertyBag) {
        super(given, options);
        parts.push(given);
      }
    },
  );
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: vi.fn() }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const user = show(<SaveButton name="fruit" columns={COLUMNS} rows={FRUIT} />);
  await user.click(screen.getByRole("button", { name: "Download CSV" }));
  expect(names).toEqual(["fruit.csv"]);
  expect(parts).toEqual([["\uFEFF", '"Name","Price"\r\n"Apple","1200"\r\n"\'=Pear","7"\r\n"Plum","30"\r\n']]);
});

const FILTERS = {
  search: { label: "Search fruit", hint: "Start of a name" },
  colour: {
    label: "Colour",
    options: [
      ["", "All colours"],
      ["red", "Red"],
    ] as const,
  },
  order: {
    label: "Sort by",
    options: [
      ["name", "Name"],
      ["-name", "Name, Z to A"],
    ] as const,
    orders: true,
  },
  since: { day: "From" },
};
const LIST = "GET /api/admin/contacts";

/** A table of the server's rows, as the pages have them. */
function Fruits({ shortened = false }: { shortened?: boolean }): ReactNode {
  const view = useTableView(FILTERS);
  const { search, order } = view.values;
  const query = { search, cursor: view.cursor };
  const found = useQuery({
    queryKey: ["fruit", query, order],
    queryFn: async () => {
      const page: unknown = await readData(api.GET("/api/admin/contacts", { params: { query } }));
      return page as { fruit: Fruit[]; next: string | null };
    },
    retry: false,
  });
  return (
    <>
      <FilterBar view={view} />
      <QueryTable
        label="Fruit"
        query={found}
        fallback="Failed to load fruit"
        skeleton={3}
        view={view}
        columns={COLUMNS}
        pick={({ fruit }) => fruit}
        getKey={getKey}
        sorting={readSorting(order, (to) => view.set({ order: to }))}
        shortened={shortened}
        empty={{ title: "No fruit yet", text: "It ripens." }}
        noMatch={{ title: "No fruit matches" }}
        foot={({ next }) => <CursorPager view={view} next={next} />}
      />
    </>
  );
}

function openFruits(answer: Handler, props: { shortened?: boolean } = {}) {
  const calls = serve({ [LIST]: answer });
  return { calls, user: show(<Fruits {...props} />) };
}

const page = (fruit: readonly Fruit[] = FRUIT, next: string | null = null) => json({ fruit, next });

describe("filters", () => {
  it("are in the address, without what is usual, and come back from it", async () => {
    history.replaceState(null, "", "/fruit?search=pl&colour=blue&order=-name&tab=2");
    const { calls, user } = openFruits(() => page());
    expect(await screen.findByRole("table")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("pl");
    const colour = screen.getByRole<HTMLSelectElement>("combobox", { name: "Colour" });
    expect(colour.value).toBe("");
    expect(sortOf("Name")).toBe("descending");
    await user.selectOptions(colour, "Red");
    expect(location.search).toBe("?search=pl&colour=red&order=-name&tab=2");
    await user.click(screen.getByRole("button", { name: "Name" }));
    expect(location.search).toBe("?search=pl&colour=red&tab=2");
    await user.type(screen.getByRole("searchbox"), "u");
    await waitFor(() => expect(location.search).toBe("?search=plu&colour=red&tab=2"));
    expect(calls.at(-1)?.query.get("search")).toBe("plu");
  });

  it("that are none of the options are as if the address said nothing", async () => {
    history.replaceState(null, "", "/fruit?order=price");
    openFruits(() => page());
    expect(await screen.findByRole("table")).toBeTruthy();
    expect([sortOf("Name"), sortOf("Price")]).toEqual(["ascending", "none"]);
  });

  it("that leave nothing say so, and are cleared without the order", async () => {
    history.replaceState(null, "", "/fruit?search=x&since=2026-05-01&order=-name");
    const { user } = openFruits(({ query }) => page(query.get("search") ? [] : FRUIT));
    expect(await screen.findByRole("heading", { name: "No fruit matches" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(location.search).toBe("?order=-name");
    expect(await screen.findByRole("table")).toBeTruthy();
  });
});

describe("rows of the server", () => {
  it("stand as bars of their size until they are there", async () => {
    const waiting: ((answer: Response) => void)[] = [];
    openFruits(() => new Promise((resolve) => waiting.push(resolve)));
    expect(screen.getByRole("status").textContent).toBe("Loading...");
    expect(document.querySelectorAll(".skeleton-row")).toHaveLength(3);
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.(page());
    expect(await screen.findByRole("table")).toBeTruthy();
    expect(document.querySelector(".skeleton-row")).toBeNull();
  });

  it("say why there are none, in whatever order", async () => {
    history.replaceState(null, "", "/fruit?order=-name");
    openFruits(() => page([]));
    expect(await screen.findByRole("heading", { name: "No fruit yet" })).toBeTruthy();
    expect(screen.getByText("It ripens.")).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("say what failed, with its reference, and are asked for again", async () => {
    let answer = () => refusal(400, "VALIDATION_ERROR", "The basket is full.");
    const { calls, user } = openFruits(() => answer());
    expect(await screen.findByRole("heading", { name: "The basket is full." })).toBeTruthy();
    expect(screen.getByText("Reference: req-7")).toBeTruthy();
    answer = () => page();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByRole("table")).toBeTruthy();
    expect(calls).toHaveLength(2);
  });

  it("come ten at a time where there are other lists beside them", async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `Fig ${index}`, price: index }));
    const { user } = openFruits(() => page(many, "2"), { shortened: true });
    expect(await screen.findAllByRole("row")).toHaveLength(11);
    expect(screen.queryByRole("group")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show all 12" }));
    expect(screen.getAllByRole("row")).toHaveLength(13);
    expect(screen.getByRole("group", { name: "Pages" })).toBeTruthy();
  });
});

describe("pages", () => {
  it("by cursor go on and back; another filter begins anew", async () => {
    const { calls, user } = openFruits(({ query }) =>
      query.get("cursor") ? page(FRUIT.slice(2)) : page(FRUIT.slice(0, 2), "c2"),
    );
    const asked = () => calls.at(-1)?.query.get("cursor");
    await user.click(await screen.findByRole("button", { name: "Next" }));
    await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(2));
    expect(asked()).toBe("c2");
    const next = screen.getByRole("button", { name: "Next" });
    expect(next.getAttribute("aria-disabled")).toBe("true");
    await user.click(next);
    expect(calls).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Previous" }));
    await waitFor(() => expect(screen.getAllByRole("row")).toHaveLength(3));
    await user.click(screen.getByRole("button", { name: "Next" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "-name");
    await waitFor(() => expect(asked()).toBe(""));
  });

  it.each([
    [1, 2, "1–2 of 5 figs", [true, false]],
    [2, 2, "3–4 of 5 figs", [false, false]],
    [3, 1, "5–5 of 5 figs", [false, true]],
  ])("by number: page %i", async (number, shown, words, ends) => {
    const setPage = vi.fn();
    const view = { page: number, setPage };
    const user = show(<NumberedPager view={view} size={2} shown={shown} total={5} thing="fig" />);
    const pages = screen.getByRole("group", { name: "Pages" });
    expect(pages.textContent).toBe(`${words}PreviousNext`);
    const buttons = within(pages).getAllByRole("button");
    expect(buttons.map((button) => button.getAttribute("aria-disabled") === "true")).toEqual(ends);
    for (const button of buttons) await user.click(button);
    expect(setPage.mock.calls.flat()).toEqual(
      [number - 1, number + 1].filter((_, index) => ends[index] === false),
    );
  });

  it("are not offered where there is one", () => {
    show(<NumberedPager view={{ page: 1, setPage: vi.fn() }} size={2} shown={2} total={2} thing="fig" />);
    expect(screen.getByRole("group").textContent).toBe("2 figs");
    expect(screen.queryByRole("button")).toBeNull();
  });
});
