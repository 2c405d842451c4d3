import { Command } from "cmdk";
import { useState, type ReactNode } from "react";

import { getErrorMessage } from "../../lib/errors";
import { readRecentChoices, storeRecentChoice } from "../../lib/recent-choices";
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

interface CommandListProps {
  onClose: () => void;
  onKeys: () => void;
}

/** Finds pages, settings, lists, addresses and documents, checks a typed address, and does what the menus do. */
export function CommandList({ onClose, onKeys }: CommandListProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [recent] = useState(() => (isViewing() ? [] : readRecentChoices()));
  const me = useCurrentUser();
  const isStaff = me.data?.is_staff === true;
  const { found, waiting } = useFound(typed, isStaff);
  const check = useAddressCheck();
  const address = isViewing() ? null : findTypedAddress(typed);
  const query = typed.trim();
  const actions = matchEntries(listActions(onKeys), query) as ActionEntry[];
  const pages = matchEntries([...PAGES, ...(isStaff ? STAFF_PAGES : [])], query);
  const settings = matchEntries(SETTINGS, query);
  const recents = query === "" ? recent.map(readChoice).filter((entry) => entry !== null) : [];
  const local = [pages, settings, actions];
  const hasNothing = !address && local.every(({ length }) => length === 0) && found.every(({ entries }) => entries.length === 0);

  const choose = ({ kind, label, address: to }: Entry) => {
    if (to === undefined) return;
    if (!isViewing()) storeRecentChoice({ kind, label, address: to });
    onClose();
    navigation.go(to);
  };
  const act = (entry: Entry) => {
    onClose();
    actions.find(({ label }) => label === entry.label)?.run();
  };

  return (
    <Dialog title="Search and commands" onClose={onClose}>
      <Command className="palette" label="Search and commands" shouldFilter={false} loop>
        <Command.Input
          className="palette-input"
          placeholder="A list, a page, a setting, or an address to check"
          value={typed}
          onValueChange={(next) => {
            setTyped(next);
            check.reset();
          }}
        />
        <Command.List label="Found">
          {address ? (
            <Command.Item
              value="check"
              aria-busy={check.isPending}
              onSelect={() => (check.isPending ? undefined : check.mutate(address))}
            >
              <EntryIcon kind="address" />
              <span className="palette-label">
                {check.isPending ? "Checking" : "Check"} {address}
              </span>
              <span className="palette-detail">{check.isPending ? "asking its mail server" : "1 credit at most"}</span>
            </Command.Item>
          ) : null}
          <Group title="Recent" entries={recents} onChoose={choose} />
          <Group title="Pages" entries={pages} onChoose={choose} />
          {found.map(({ title, entries }) => (
            <Group key={title} title={title} entries={entries} onChoose={choose} />
          ))}
          <Group title="Settings" entries={query === "" ? [] : settings} onChoose={choose} />
          <Group title="Commands" entries={actions} onChoose={act} />
        </Command.List>
        <p className="palette-says" role="status">
          {waiting ? "Searching…" : hasNothing ? `Nothing found for “${query}”.` : ""}
        </p>
      </Command>
      {check.isError ? (
        <div className="palette-foot">
          <ValidationFailure message={getErrorMessage(check.error, "Validation failed")} error={check.error} />
        </div>
      ) : null}
      <FailedSearches found={found} />
    </Dialog>
  );
}
