import { Command } from "cmdk";
import { useState, type ReactNode } from "react";

import { getErrorMessage } from "../../lib/errors";
import { readRecentChoices, storeRecentChoice } from "../../lib/recent-choices";
import { mayDo } from "../../lib/rights";
import { navigation } from "../../lib/session";
import { chooseTheme } from "../../shell/theme";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { isViewing } from "../../ui/viewing";
import { useCurrentUser } from "../accounts/profile/use-current-user";
import { signOut } from "../accounts/signin/sessions/sign-out";
import { ValidationFailure } from "../validation/validation-failure";
import {
  findTypedAddress,
  matchEntries,
  listOpen,
  PAGES,
  readChoice,
  SETTINGS,
  STAFF_PAGES,
  type Entry,
} from "./entries";
import { EntryIcon } from "./entry-icon";
import { Keys } from "./keys";
import { useAddressCheck } from "./use-address-check";
import { useFound, type Found } from "./use-found";

interface ActionEntry extends Entry {
  run: () => void;
}

/** What is done rather than gone to. */
function listActions(onKeys: () => void): ActionEntry[] {
  return [
    { kind: "action", label: "Theme: System", words: "colours", run: () => chooseTheme("") },
    { kind: "action", label: "Theme: Light", words: "colours day", run: () => chooseTheme("light") },
    { kind: "action", label: "Theme: Dark", words: "colours night", run: () => chooseTheme("dark") },
    { kind: "action", label: "Keyboard shortcuts", keys: ["?"], words: "keys help", run: onKeys },
    { kind: "action", label: "Logout", words: "sign out leave", run: () => void signOut() },
  ];
}

interface ItemProps {
  entry: Entry;
  onChoose: () => void;
  /** Where the same entry is in two groups. */
  group: string;
}

function Item({ entry, onChoose, group }: ItemProps): ReactNode {
  const { kind, label, detail, address = "", keys } = entry;
  return (
    <Command.Item value={`${group} ${label} ${address}`} onSelect={onChoose}>
      <EntryIcon kind={kind} />
      <span className="palette-label">{label}</span>
      {detail ? <span className="palette-detail">{detail}</span> : null}
      {keys ? <Keys keys={keys} /> : null}
    </Command.Item>
  );
}

interface GroupProps {
  title: string;
  entries: readonly Entry[];
  onChoose: (entry: Entry) => void;
}

function Group({ title, entries, onChoose }: GroupProps): ReactNode {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={title}>
      {entries.map((entry) => (
        <Item
          key={entry.address ?? entry.label}
          entry={entry}
          group={title}
          onChoose={() => onChoose(entry)}
        />
      ))}
    </Command.Group>
  );
}

/** What could not be searched, with another try. */
function FailedSearches({ found }: { found: readonly Found[] }): ReactNode {
  const failed = found.filter(({ query }) => query.isError);
  if (failed.length === 0) return null;
  return (
    <div className="palette-foot" role="alert">
      <span>Not searched: {failed.map(({ title }) => title.toLowerCase()).join(", ")}.</span>
      <Button
        busy={failed.some(({ query }) => query.isFetching)}
        changes={false}
        onClick={() => failed.forEach(({ query }) => void query.refetch())}
      >
        Try again
      </Button>
    </div>
  );
}

interface AddressItemProps {
  address: string;
  check: ReturnType<typeof useAddressCheck>;
}

/** Checks the address that is typed; its page comes when the answer is there. */
function AddressItem({ address, check }: AddressItemProps): ReactNode {
  const { isPending, mutate } = check;
  return (
    <Command.Item
      value="check"
      aria-busy={isPending}
      onSelect={() => (isPending ? undefined : mutate(address))}
    >
      <EntryIcon kind="address" />
      <span className="palette-label">
        {isPending ? "Checking" : "Check"} {address}
      </span>
      <span className="palette-detail">{isPending ? "asking its mail server" : "1 credit at most"}</span>
    </Command.Item>
  );
}

/** What the search has come to, and how to go on without a pointer. */
function Outcome({ children }: { children: string }): ReactNode {
  return (
    <div className="palette-says">
      <span role="status">{children}</span>
      <span className="row fine-pointer" aria-hidden>
        <Keys keys={["↑", "↓"]} /> walk <Keys keys={["Enter"]} /> choose
      </span>
    </div>
  );
}

interface Offer {
  title: string;
  entries: readonly Entry[];
}

/** What this browser knows without asking, in groups; settings only once something is typed. */
function listOffers(
  query: string,
  isStaff: boolean,
  actions: readonly Entry[],
): Record<"before" | "after", Offer[]> {
  const recent = query === "" && !isViewing() ? readRecentChoices().map(readChoice) : [];
  return {
    before: [
      { title: "Recent", entries: recent.filter((entry) => entry !== null) },
      { title: "Pages", entries: matchEntries([...listOpen(PAGES), ...(isStaff ? STAFF_PAGES : [])], query) },
    ],
    after: [
      { title: "Settings", entries: query === "" ? [] : matchEntries(listOpen(SETTINGS), query) },
      { title: "Commands", entries: matchEntries(actions, query) },
    ],
  };
}

function describeOutcome(query: string, waiting: boolean, offers: readonly Offer[]): string {
  if (waiting) return "Searching…";
  return offers.some(({ entries }) => entries.length > 0) ? "" : `Nothing found for “${query}”.`;
}

interface CommandListProps {
  onClose: () => void;
  onKeys: () => void;
}

/** Finds pages, settings, lists, addresses and documents, checks a typed address, and does what the menus do. */
export function CommandList({ onClose, onKeys }: CommandListProps): ReactNode {
  const [typed, setTyped] = useState("");
  const isStaff = useCurrentUser().data?.is_staff === true;
  const { found, waiting } = useFound(typed, isStaff);
  const check = useAddressCheck();
  const query = typed.trim();
  const address = isViewing() || !mayDo("check") ? null : findTypedAddress(query);
  const actions = listActions(onKeys);
  const { before, after } = listOffers(query, isStaff, actions);
  const offers = [...before, ...found, ...after];

  const choose = (entry: Entry) => {
    onClose();
    const { kind, label, address: to } = entry;
    if (to === undefined) {
      actions.find((action) => action.label === label)?.run();
      return;
    }
    if (!isViewing()) storeRecentChoice({ kind, label, address: to });
    navigation.go(to);
  };
  const type = (next: string) => {
    setTyped(next);
    check.reset();
  };

  return (
    <Dialog title="Search and commands" onClose={onClose}>
      <Command className="palette" label="Search and commands" shouldFilter={false} loop>
        <Command.Input
          className="palette-input"
          placeholder="A list, a page, a setting, or an address to check"
          value={typed}
          onValueChange={type}
        />
        <Command.List label="Found">
          {address ? <AddressItem address={address} check={check} /> : null}
          {offers.map(({ title, entries }) => (
            <Group key={title} title={title} entries={entries} onChoose={choose} />
          ))}
        </Command.List>
        <Outcome>{address ? "" : describeOutcome(query, waiting, offers)}</Outcome>
      </Command>
      {check.isError ? (
        <div className="palette-foot">
          <ValidationFailure
            message={getErrorMessage(check.error, "Validation failed")}
            error={check.error}
          />
        </div>
      ) : null}
      <FailedSearches found={found} />
    </Dialog>
  );
}
