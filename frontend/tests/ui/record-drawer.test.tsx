import { screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it } from "vitest";

import { useRecord } from "../../src/lib/use-record";
import { findWay, RecordDrawer } from "../../src/ui/record-drawer";
import { show } from "../render";

const IDS = ["a", "b", "c"];

function List(): ReactNode {
  const record = useRecord();
  return (
    <>
      {IDS.map((id) => (
        <button key={id} type="button" data-record={id} onClick={() => record.open(id)}>
          Row {id}
        </button>
      ))}
      {record.id === null ? null : (
        <RecordDrawer place={{ id: record.id, ids: IDS, record }} title={`Record ${record.id}`}>
          <input aria-label="Field" />
        </RecordDrawer>
      )}
    </>
  );
}

beforeEach(() => history.replaceState(null, "", "/admin?tab=users"));

it("[look-16] the way leads to the rows beside, and nowhere from a record that is not among them", () => {
  expect(findWay("a", IDS)).toEqual({ previous: null, next: "b", place: 1 });
  expect(findWay("c", IDS)).toEqual({ previous: "b", next: null, place: 3 });
  expect(findWay("z", IDS)).toEqual({ previous: null, next: null, place: 0 });
});

it("[look-16] keys and buttons lead on; leaving goes back to the list and to the row of the last record", async () => {
  const user = show(<List />);
  await user.click(screen.getByRole("button", { name: "Row a" }));
  expect(location.search).toBe("?tab=users&record=a");
  await user.keyboard("j");
  expect(screen.getByRole("dialog", { name: "Record b" }).textContent).toContain("2 of 3");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(location.search).toBe("?tab=users&record=c");
  expect(screen.getByRole("button", { name: "Next" }).getAttribute("aria-disabled")).toBe("true");
  await user.click(screen.getByRole("button", { name: "Previous" }));
  await user.type(screen.getByLabelText("Field"), "k{ArrowUp}");
  expect(location.search).toBe("?tab=users&record=b");
  localStorage.setItem("single-keys", "off");
  screen.getByRole("dialog").focus();
  await user.keyboard("j");
  expect(location.search).toBe("?tab=users&record=b");
  localStorage.removeItem("single-keys");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(location.search).toBe("?tab=users"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Row b" })));
});

it("[look-16] a record in the address is open at once, and leaving it takes it from there", async () => {
  history.replaceState(null, "", "/admin?tab=users&record=b");
  const user = show(<List />);
  expect(screen.getByRole("dialog", { name: "Record b" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Close dialog" }));
  expect(location.search).toBe("?tab=users");
});
