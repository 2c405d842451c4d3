import {
  useDeferredValue,
  useMemo,
  useRef,
  type KeyboardEvent,
  type RefObject,
  Suspense,
  type ReactNode,
} from "react";

import { Button } from "../../../../ui/button";
import { Field } from "../../../../ui/field";
import { lazyPart } from "../../../../ui/lazy-part";
import { formatNumber } from "../../../../lib/format";
import { useCredits } from "../../../billing/subscriptions/use-subscription";
import { ValidationFailure } from "../../validation-failure";
import { readAddresses, type AddressList } from "../address-list";
import { TypedListNotice } from "../basic-checks-notice";
import { InHouseChoice } from "../in-house-choice";
import { ChosenFile } from "./chosen-file";
import { FileChooser } from "./file-chooser";
import { formatOdd, formatUnderstood } from "./understood";
import { findOnlyLine, type Entry } from "./use-entry";
import { usePageDrop } from "./use-page-drop";

const PrivateChoice = lazyPart(async () => (await import("../../access/private-choice")).PrivateChoice);

const EMPTY =
  "One address per line, or a file. Enter checks one address, Ctrl+Enter a list; duplicates are charged once.";
const LEAST_ROWS = 3;
const MOST_ROWS = 12;

/** Enter checks one address; in a list it begins the next line, and Ctrl or Cmd with it starts the list. */
function isStart(
  { key, shiftKey, altKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent,
  text: string,
): boolean {
  if (key !== "Enter" || nativeEvent.isComposing || shiftKey || altKey) return false;
  return ctrlKey || metaKey || !text.includes("\n");
}

/** Whether a text is checked as a list: one line is checked alone. */
function isListed({ lines }: AddressList, text: string): boolean {
  return lines.length > 1 && findOnlyLine(text) === null;
}

interface TextProps {
  entry: Entry;
  field: RefObject<HTMLTextAreaElement | null>;
  understood: string;
}

function TextField({ entry, field, understood }: TextProps): ReactNode {
  const { text, write, start, busy, chosen, problem } = entry;
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n", MOST_ROWS).length));
  return (
    <Field label="Single address, or paste a list" hint={understood || EMPTY} error={problem ?? undefined}>
      {(control) => (
        <textarea
          data-key="n"
          {...control}
          ref={field}
          className="input entry-text"
          rows={rows}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="name@company.com"
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => {
            if (!isStart(event, text)) return;
            event.preventDefault();
            if (!busy) start();
          }}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            chosen.choose(files);
          }}
        />
      )}
    </Field>
  );
}

/** Says that a text held several addresses where one is checked, and offers to check them all. */
function SeveralNotice({ entry, onList }: { entry: Entry; onList: () => void }): ReactNode {
  const { count } = entry.several;
  if (count === 0) return null;
  return (
    <div className="notice notice-warning row" role="alert">
      <span>This field takes one address, we found {formatNumber(count)}.</span>
      <Button onClick={onList}>Check them as a list</Button>
    </div>
  );
}

interface ListPartsProps {
  entry: Entry;
  list: AddressList;
  providers: readonly string[];
}

/** What is said of a list before its start. */
function ListParts({ entry, list, providers }: ListPartsProps): ReactNode {
  const odd = entry.several.count > 0 ? null : formatOdd(list);
  const { chosen, setInHouse, setIsPrivate } = entry.choices;
  const isList = isListed(list, entry.text);
  return (
    <>
      {odd ? <p className="hint break">{odd}</p> : null}
      {providers.length > 0 && isList ? (
        <InHouseChoice providers={providers} checked={chosen.inHouse} onChange={setInHouse} />
      ) : null}
      {isList ? (
        <Suspense fallback={null}>
          <PrivateChoice checked={chosen.isPrivate} onChange={setIsPrivate} />
        </Suspense>
      ) : null}
      <TypedListNotice list={list} busy={entry.busy} onFirst={entry.start} />
    </>
  );
}

function getAction({ chosen, text }: Entry, list: AddressList): string {
  if (chosen.file) return "Continue";
  return isListed(list, text) ? "Validate list" : "Validate";
}

function Foot({ entry, list }: Pick<ListPartsProps, "entry" | "list">): ReactNode {
  return (
    <div className="row entry-foot">
      <FileChooser disabled={entry.busy} onFiles={entry.chosen.choose} />
      <p className="hint">
        .csv, .xlsx, .xls or .txt, up to 10 MB: choose it, or drop it anywhere on this page
      </p>
      <Button kind="primary" type="submit" busy={entry.busy}>
        {getAction(entry, list)}
      </Button>
    </div>
  );
}

interface EntryFormProps {
  entry: Entry;
  /** The outside providers that are asked about open addresses, unless the list stays in-house. */
  providers: readonly string[];
}

/** One field for an address, a list or a file. It says what it understood and what that costs. */
export function EntryForm({ entry, providers }: EntryFormProps): ReactNode {
  const over = usePageDrop(entry.chosen.choose);
  const credits = useCredits().data?.credits ?? null;
  // A long list is read once the typing has been drawn.
  const text = useDeferredValue(entry.text);
  const list = useMemo(() => readAddresses(text), [text]);
  const { file } = entry.chosen;
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <form
      className="card stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        entry.start();
      }}
    >
      {file ? (
        <ChosenFile file={file} sent={entry.sent} onRemove={entry.chosen.remove} />
      ) : (
        <>
          <TextField entry={entry} field={field} understood={formatUnderstood(list, credits)} />
          <SeveralNotice
            entry={entry}
            onList={() => {
              entry.write(entry.several.asList());
              field.current?.focus();
            }}
          />
          <ListParts entry={entry} list={list} providers={providers} />
        </>
      )}
      {entry.failure ? <ValidationFailure {...entry.failure} /> : null}
      <Foot entry={entry} list={list} />
      {over ? (
        <div className="drop drop-over entry-drop" aria-hidden>
          <strong>Drop the file here</strong>
        </div>
      ) : null}
    </form>
  );
}
