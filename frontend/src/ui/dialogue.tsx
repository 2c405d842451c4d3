import type { ReactNode } from "react";

export interface Turn {
  speaker: "us" | "host";
  lines: readonly string[];
}

/** A transcript in turns: lines of one speaker that follow each other are one answer. */
export function splitTurns(transcript: readonly string[]): Turn[] {
  const turns: { speaker: Turn["speaker"]; lines: string[] }[] = [];
  for (const line of transcript) {
    const speaker = line.startsWith("C:") ? "us" : "host";
    const words = line.replace(/^[CS]: ?/, "");
    const last = turns.at(-1);
    if (last?.speaker === speaker) last.lines.push(words);
    else turns.push({ speaker, lines: [words] });
  }
  return turns;
}

interface DialogueProps {
  transcript: readonly string[];
  /** The name of the mail server. */
  host: string;
  /** The answer that decided, which is marked; it may be cut short elsewhere than in the transcript. */
  deciding: string | null;
  /** The verdict. */
  tone: string;
}

/** What was said to the mail server and what it answered: two sides, in their order. */
export function Dialogue({ transcript, host, deciding, tone }: DialogueProps): ReactNode {
  const turns = splitTurns(transcript);
  const start = deciding?.slice(0, 60);
  const decides =
    start === undefined
      ? -1
      : turns.findLastIndex(({ speaker, lines }) => speaker === "host" && lines.join(" ").startsWith(start));
  return (
    <ol className={`dialogue tone-${tone}`} aria-label="Conversation with the mail server">
      {turns.map(({ speaker, lines }, index) => (
        <li key={index} className={`turn turn-${speaker}${index === decides ? " turn-decides" : ""}`}>
          <span className="turn-speaker">{speaker === "us" ? "We" : host}</span>
          <p>{lines.join("\n")}</p>
        </li>
      ))}
    </ol>
  );
}
