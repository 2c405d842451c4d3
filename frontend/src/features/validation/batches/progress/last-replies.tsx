import { useState, type ReactNode } from "react";

import type { BatchProgress, HostReply } from "../../../../api/types";
import { CATEGORY_WORDS } from "../../../../lib/labels";
import { Glyph } from "../../../../ui/glyph";

const SHOWN = 3;

function Reply({ reply: { host, reply, category } }: { reply: HostReply }): ReactNode {
  return (
    <li className={`reply tone-${category}`}>
      <Glyph name={category} />
      <span className="visually-hidden">{CATEGORY_WORDS[category]}</span>
      <q title={reply}>{reply}</q>
      <cite title={host}>{host}</cite>
    </li>
  );
}

/**
 * What mail hosts said last, in their own words: the newest first. While rows change hands there is nothing new, and
 * what was said before stays.
 */
export function LastReplies({ progress }: { progress: BatchProgress }): ReactNode {
  const { latest_replies: latest, checks } = progress;
  const [replies, setReplies] = useState(latest);
  if (latest.length > 0 && latest !== replies) setReplies(latest);
  // Basic checks ask no mail host.
  if (checks === "basic") return null;
  return (
    <div className="replies">
      <p className="muted small">Last replies of mail hosts</p>
      {replies.length > 0 ? (
        <ul aria-label="Last replies of mail hosts">
          {replies.slice(0, SHOWN).map((reply) => (
            <Reply key={`${reply.at} ${reply.host} ${reply.reply}`} reply={reply} />
          ))}
        </ul>
      ) : (
        <p className="hint">None has answered yet.</p>
      )}
    </div>
  );
}
