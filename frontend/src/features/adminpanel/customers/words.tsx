import { BadgeCheck, CircleSlash, MailQuestion, ShieldCheck, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { sentenceCase } from "../../../lib/words";

export const FULL_ACCESS = "The admin role gives full access to this dashboard.";

/** A plan as word and colour; Free is quiet. */
export function PlanBadge({ plan }: { plan: string }): ReactNode {
  return <span className={`badge ${plan === "free" ? "" : "tone-accent"}`}>{sentenceCase(plan)}</span>;
}

type Mark = readonly [boolean, string, string, LucideIcon];

function marksOf({ role, status, email_verified, is_protected }: StaffUser): Mark[] {
  const marks: Mark[] = [
    [status === "suspended", "Suspended", "tone-invalid", CircleSlash],
    [role === "admin", "Admin", "tone-accent", ShieldCheck],
    [is_protected, "Protected", "", ShieldCheck],
    [!email_verified, "Unverified", "tone-risky", MailQuestion],
  ];
  return marks.filter(([holds]) => holds);
}

interface MarksProps {
  user: StaffUser;
  /** In lists a verified address is said by its sign alone. */
  spelled?: boolean;
}

/** What is out of the ordinary about an account. */
export function Marks({ user, spelled = false }: MarksProps): ReactNode {
  return (
    <>
      {user.email_verified && !spelled ? (
        <BadgeCheck className="user-verified" size={14} role="img" aria-label="Verified address" />
      ) : null}
      {user.email_verified && spelled ? (
        <span className="badge tone-valid">
          <BadgeCheck size={12} strokeWidth={2.5} aria-hidden />
          Verified address
        </span>
      ) : null}
      {marksOf(user).map(([, word, tone, Icon]) => (
        <span key={word} className={`badge ${tone}`}>
          <Icon size={12} strokeWidth={2.5} aria-hidden />
          {word}
        </span>
      ))}
    </>
  );
}
