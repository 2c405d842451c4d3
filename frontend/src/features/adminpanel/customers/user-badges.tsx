import type { LucideIcon } from "lucide-react";
import BadgeCheck from "lucide-react/icons/badge-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import MailQuestion from "lucide-react/icons/mail-question-mark";
import ShieldCheck from "lucide-react/icons/shield-check";
import type { ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { toSentenceCase } from "../../../lib/labels";

export const FULL_ACCESS = "The admin role gives full access to this dashboard.";

/** A plan as a word: colours are for verdicts. */
export function PlanBadge({ plan }: { plan: string }): ReactNode {
  return <span className="badge">{toSentenceCase(plan)}</span>;
}

type UserMark = readonly [boolean, string, string, LucideIcon];

function listMarks({ role, status, email_verified, is_protected }: StaffUser): UserMark[] {
  const marks: UserMark[] = [
    [status === "suspended", "Suspended", "tone-problem", CircleSlash],
    [role === "admin", "Admin", "tone-plain", ShieldCheck],
    [is_protected, "Protected", "tone-plain", ShieldCheck],
    [!email_verified, "Unverified", "tone-plain", MailQuestion],
  ];
  return marks.filter(([holds]) => holds);
}

interface UserMarksProps {
  user: StaffUser;
  /** In lists a verified address is said by its sign alone. */
  spelled?: boolean;
}

/** What is out of the ordinary about an account. */
export function UserMarks({ user, spelled = false }: UserMarksProps): ReactNode {
  return (
    <>
      {user.email_verified && !spelled ? (
        <BadgeCheck className="user-verified" size={14} role="img" aria-label="Verified address" />
      ) : null}
      {user.email_verified && spelled ? (
        <span className="badge tone-plain">
          <BadgeCheck size={12} strokeWidth={2.5} aria-hidden />
          Verified address
        </span>
      ) : null}
      {listMarks(user).map(([, word, tone, Icon]) => (
        <span key={word} className={`badge ${tone}`}>
          <Icon size={12} strokeWidth={2.5} aria-hidden />
          {word}
        </span>
      ))}
    </>
  );
}
