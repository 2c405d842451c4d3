// A typed or pasted list goes the way of a file; where nothing is to be decided it starts at once.
import type { Draft, DraftChoices, Started } from "../../../../api/types";
import { startDraft } from "./calls";
import { needsReview } from "./decisions";
import { uploadFile } from "./upload";

export interface TypedList {
  text: string;
  /** Nobody but us sees the addresses; otherwise it is as the account says. */
  inHouse: boolean;
  /** Other members do not see it, but for owners and admins. */
  isPrivate: boolean;
  /** Only the first addresses are checked that so many credits pay for. */
  maxCredits?: number | undefined;
}

/** The list that was started, or else the one that waits for its review. */
export type SentList = { started: Started } | { draft: Draft };

/** The server takes a file by its name; a pasted list has none of its own. */
const NAME = "pasted.txt";

export async function sendTypedList({ text, inHouse, isPrivate, maxCredits }: TypedList): Promise<SentList> {
  const choices: DraftChoices = {
    ...(inHouse ? { use_providers: false } : {}),
    ...(maxCredits === undefined ? {} : { max_credits: maxCredits }),
  };
  const draft = await uploadFile(new File([text], NAME, { type: "text/plain" }), { pasted: true, choices });
  if (needsReview(draft)) return { draft };
  return { started: await startDraft(draft.upload_id, isPrivate) };
}
