import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import type { Draft, Result, Started } from "../../../../api/types";
import { getErrorMessage } from "../../../../lib/errors";
import { ADDRESS_FORM } from "../../../../lib/unsent/names";
import { useUnsent } from "../../../../lib/unsent/use-unsent";
import { isNotAsked } from "../../results/check-again";
import { validateSingle } from "../../calls";
import { toastFailure } from "../../validation-failure";
import { toastVerdict } from "../../verdict-toast";
import { readAddresses } from "../address-list";
import type { TypedList } from "../drafts/typed-list";
import { describeUploadFailure, getFileRefusal, uploadFile } from "../drafts/upload";

const SINGLE_FAILED = "Validation failed";
const LIST_FAILED = "Bulk validation failed";
const NO_ADDRESS = "Enter the address to check";
const NO_LINE = "Please enter at least one email";

/** The address that a link to this page brings along, such as one of `/sandbox`. */
function readLinkedAddress(): string {
  return new URLSearchParams(location.search).get("address") ?? "";
}

/** The one line of a text, which is checked alone; null where there are more, or none. */
export function findOnlyLine(text: string): string | null {
  const line = text.trim();
  return line === "" || /[\r\n]/.test(line) ? null : line;
}

/** Whether a text that was to be one address held more, so that nothing was checked. */
function holdsSeveral({ found_count }: Result): boolean {
  return found_count > 1;
}

/** The addresses of such a text, each on its own line. */
function listSeveral({ found_addresses, found_count }: Result, text: string): string {
  const all = found_addresses.length === found_count ? found_addresses : readAddresses(text).lines;
  return all.join("\n");
}

async function sendList(list: TypedList) {
  const { sendTypedList } = await import("../drafts/typed-list");
  return sendTypedList(list);
}

export interface EntryEnds {
  onResult: (result: Result) => void;
  /** A typed list has started. */
  onStarted: (started: Started) => void;
  onDraft: (draft: Draft) => void;
}

function useSending({ onResult, onStarted, onDraft }: EntryEnds) {
  const [sent, setSent] = useState(0);
  const single = useMutation({
    mutationFn: validateSingle,
    onSuccess: (result) => {
      if (holdsSeveral(result)) return;
      if (!isNotAsked(result)) toastVerdict("Email validated successfully!", result);
      onResult(result);
    },
    onError: (error) => toastFailure(getErrorMessage(error, SINGLE_FAILED), error),
  });
  const list = useMutation({
    mutationFn: sendList,
    onSuccess: (sent) => ("started" in sent ? onStarted(sent.started) : onDraft(sent.draft)),
    onError: (error) => toastFailure(getErrorMessage(error, LIST_FAILED), error),
  });
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadFile(chosen, { onProgress: setSent }),
    onMutate: () => setSent(0),
    onSuccess: onDraft,
    onError: (error) => toastFailure(describeUploadFailure(error), error),
  });
  const shown = {
    failure: findFailure({ single, list, upload }),
    busy: single.isPending || list.isPending || upload.isPending,
    /** The share of a file that has left, while one does. */
    sent: upload.isPending ? sent : null,
  };
  return { single, list, upload, shown };
}

type Sending = Record<"single" | "list" | "upload", { error: Error | null }>;

/** What went wrong with what was sent last, in words. */
function findFailure({ single, list, upload }: Sending): { message: string; error: Error } | null {
  if (single.error) return { message: getErrorMessage(single.error, SINGLE_FAILED), error: single.error };
  if (list.error) return { message: getErrorMessage(list.error, LIST_FAILED), error: list.error };
  return upload.error ? { message: describeUploadFailure(upload.error), error: upload.error } : null;
}

/** A file in place of a text: chosen, dropped or pasted. */
function useChosenFile(onChange: () => void) {
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const take = (chosen: File | null, reason: string | null) => {
    onChange();
    setRefusal(reason);
    setFile(chosen);
  };
  return {
    file,
    refusal,
    remove: () => take(null, null),
    choose: ([first, ...others]: readonly File[]) => {
      if (!first) return;
      const reason = others.length > 0 ? "Choose one file at a time" : getFileRefusal(first);
      take(reason ? null : first, reason);
    },
  };
}

/** What is chosen for a typed list, beside its addresses. */
function useListChoices() {
  const [inHouse, setInHouse] = useState(false);
  const [isPrivate, setIsPrivate] = useState(false);
  return { chosen: { inHouse, isPrivate }, setInHouse, setIsPrivate };
}

/** What is known of the text that was sent last: a verdict, a list, or several addresses where one was to be checked. */
function useAnswered(text: string) {
  const [checked, setChecked] = useState<string | null>(null);
  /** The answer to a text with several addresses. */
  const [several, setSeveral] = useState<Result | null>(null);
  return {
    several: {
      /** How many addresses were found where one was to be checked; 0 otherwise. */
      count: several?.found_count ?? 0,
      /** These addresses, each on its own line. */
      asList: () => (several ? listSeveral(several, text) : text),
      forget: () => setSeveral(null),
    },
    isAnswered: checked === text,
    forget: () => {
      setChecked(null);
      setSeveral(null);
    },
    accept: (result: Result, written: string) =>
      holdsSeveral(result) ? setSeveral(result) : setChecked(written),
    acceptList: (written: string) => setChecked(written),
  };
}

type ListChoices = ReturnType<typeof useListChoices>;

/** Keeps what is in the field, and chosen with it, in this tab until it was sent. */
function useUnsentEntry(
  text: string,
  isSent: boolean,
  choices: ListChoices,
  write: (text: string) => void,
): void {
  const { inHouse, isPrivate } = choices.chosen;
  const entered = useMemo(() => ({ text, inHouse, isPrivate }), [text, inHouse, isPrivate]);
  const [untouched] = useState(entered);
  useUnsent(ADDRESS_FORM, isSent ? untouched : entered, untouched, (found) => {
    write(found.text);
    choices.setInHouse(found.inHouse);
    choices.setIsPrivate(found.isPrivate);
  });
}

/** What is to be validated: an address, a list, or a file; and what becomes of it. */
export function useEntry(ends: EntryEnds) {
  const [text, setText] = useState(readLinkedAddress);
  const [missing, setMissing] = useState<string | null>(null);
  const choices = useListChoices();
  const answered = useAnswered(text);
  const sending = useSending({
    ...ends,
    onDraft: (draft) => {
      chosen.remove();
      ends.onDraft(draft);
    },
  });
  const { single, list, upload } = sending;
  const reset = () => {
    for (const one of [single, list, upload]) one.reset();
    setMissing(null);
    answered.several.forget();
  };
  const chosen = useChosenFile(reset);
  const write = (written: string) => {
    setText(written);
    setMissing(null);
    answered.forget();
  };
  useUnsentEntry(text, answered.isAnswered, choices, write);
  const checkOne = (address: string, written: string) =>
    single.mutate(address, { onSuccess: (result) => answered.accept(result, written) });
  const check = (address: string) => {
    reset();
    write(address);
    checkOne(address, address);
  };
  const start = (maxCredits?: number) => {
    reset();
    if (chosen.file) {
      upload.mutate(chosen.file);
      return;
    }
    const { lines } = readAddresses(text);
    const [only] = lines;
    if (only === undefined) setMissing(text.includes("\n") ? NO_LINE : NO_ADDRESS);
    else if (lines.length === 1 || findOnlyLine(text)) checkOne(findOnlyLine(text) ?? only, text);
    else list.mutate({ text, ...choices.chosen, maxCredits }, { onSuccess: () => answered.acceptList(text) });
  };
  return {
    text,
    write,
    check,
    start,
    chosen,
    choices,
    problem: missing ?? chosen.refusal,
    ...sending.shown,
    /** Whether what is in the field was sent, and answered. */
    isAnswered: answered.isAnswered,
    several: answered.several,
  };
}

export type Entry = ReturnType<typeof useEntry>;
