import { useQuery } from "@tanstack/react-query";
import Mail from "lucide-react/icons/mail";
import { useId, type ReactNode } from "react";

import type { Referral, ReferralStats } from "../api/types";
import { api, readData } from "../lib/client";
import { formatNumber, formatPercent, NO_VALUE } from "../lib/format";
import { buildMailto } from "../lib/mailto";
import { Badge } from "../ui/badge";
import { ButtonLink } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { timeColumn, textColumn, type Column } from "../ui/data-table/columns";
import { QueryTable } from "../ui/data-table/query-table";
import { PageHead } from "../ui/page-head";
import { Section } from "../ui/section";
import { Loaded, ShowMore } from "../ui/states";
import { Time } from "../ui/values";
import { useGrowingList } from "../lib/use-growing-list";

interface Terms {
  /** Credits to whoever brings a friend, and to the friend. */
  reward: number;
  bonus: number;
  product: string;
}

function useStats() {
  return useQuery({ queryKey: ["referral"], queryFn: () => readData(api.GET("/api/referral/stats")) });
}

function useFriends() {
  return useGrowingList({
    key: ["referral", "friends"],
    load: (cursor) => readData(api.GET("/api/referral/activities", { params: { query: { cursor } } })),
  });
}

function buildShareLinks(link: string, { bonus, product }: Terms): { mail: string; post: string } {
  const text = `I check my e-mail lists with ${product}. With this link you get ${bonus} extra credits: ${link}`;
  return {
    mail: buildMailto("", { subject: `Try ${product}`, body: text }),
    post: `https://twitter.com/intent/tweet?${new URLSearchParams({ text }).toString()}`,
  };
}

const COPIED = "Referral link copied to clipboard!";

function buildLink(code: string): string {
  return `${location.origin}/?${new URLSearchParams({ ref: code }).toString()}`;
}

interface LinkProps {
  code: string;
  terms: Terms;
}

function Link({ code, terms }: LinkProps): ReactNode {
  const id = useId();
  const link = buildLink(code);
  const { mail, post } = buildShareLinks(link, terms);
  return (
    <Section id={`${id}-title`} title="Your link" card>
      <div className="referral-link">
        <textarea
          className="input"
          aria-label="Your referral link"
          readOnly
          rows={2}
          value={link}
          onFocus={({ target }) => target.select()}
        />
        <CopyButton text={link} said={COPIED} />
      </div>
      <div className="row">
        <ButtonLink href={mail}>
          <Mail size={16} aria-hidden />
          Share by email
        </ButtonLink>
        <ButtonLink href={post} target="_blank" rel="noopener noreferrer">
          Post on X
        </ButtonLink>
      </div>
    </Section>
  );
}

function ReferralSteps({ reward, bonus }: Terms): ReactNode {
  const id = useId();
  return (
    <Section id={id} title="How it works" card>
      <ol className="referral-steps">
        <li>
          <strong>Share your link.</strong> It is remembered for 30 days where it was opened.
        </li>
        <li>
          <strong>Your friend gets {bonus} credits</strong> on top of the free ones, once the address is
          confirmed.
        </li>
        <li>
          <strong>You get {formatNumber(reward)} credits</strong> with the friend’s first payment for a plan.
          Packs and the trial do not count, and a refund takes the credits back.
        </li>
      </ol>
    </Section>
  );
}

function Figures({ stats }: { stats: ReferralStats }): ReactNode {
  const lines = [
    ["Friends", formatNumber(stats.total_referrals), "Friends who have confirmed their address"],
    ["With a plan", formatNumber(stats.successful_referrals), "Friends who have paid for a plan"],
    ["Credits earned", formatNumber(stats.credits_earned), ""],
    ["Credits pending", formatNumber(stats.pending_credits), "What comes when the other friends get a plan"],
    ["Conversion rate", formatPercent(stats.conversion_rate / 100), "Friends with a plan over all friends"],
  ] as const;
  return (
    <section className="card" aria-label="Figures">
      <dl className="counts">
        {lines.map(([name, value, hint]) => (
          <div key={name} className="count" title={hint || undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function buildColumns({ reward }: Terms): readonly Column<Referral>[] {
  return [
    textColumn("friend", "Friend", ({ referee_name }) => referee_name ?? "Anonymous", {
      className: "break",
      note: ({ referee_email }) => referee_email,
    }),
    textColumn("status", "Status", (friend) => (
      <Badge look={isCompleted(friend) ? ["Completed", "valid"] : ["Pending", "unknown"]} />
    )),
    textColumn(
      "credits",
      "Credits",
      (friend) => (isCompleted(friend) ? `+${formatNumber(friend.credits_awarded)}` : NO_VALUE),
      { align: "number" },
    ),
    timeColumn("joined", "Joined", ({ created_at }) => created_at, { hideBelow: "narrow" }),
    textColumn(
      "completed",
      "Completed",
      ({ converted_at }) =>
        converted_at ? (
          <Time at={converted_at} />
        ) : (
          <span title={`${reward} credits come then`}>{NO_VALUE}</span>
        ),
      { hideBelow: "narrow", className: "muted" },
    ),
  ];
}

function isCompleted({ status }: Referral): boolean {
  return status === "converted";
}

function Friends({ code, terms }: LinkProps): ReactNode {
  const pages = useFriends();
  return (
    <div className="stack-4">
      <QueryTable
        label="Your friends"
        query={pages}
        fallback="Failed to load referrals"
        skeleton={4}
        columns={buildColumns(terms)}
        pick={({ pages: found }) => found.flatMap(({ activities }) => activities)}
        getKey={({ id }) => id}
        empty={{
          title: "No referrals yet",
          text: "Friends who come by your link are listed here once they have confirmed their address.",
          action: <CopyButton text={buildLink(code)} label="Copy your link" said={COPIED} />,
        }}
      />
      <ShowMore pages={pages} />
    </div>
  );
}

function ReferralOverview({ terms }: { terms: Terms }): ReactNode {
  return (
    <Loaded query={useStats()} fallback="Failed to load referrals" rows={5}>
      {(stats) => (
        <>
          <Figures stats={stats} />
          <div className="columns">
            <Link code={stats.referral_code} terms={terms} />
            <ReferralSteps {...terms} />
          </div>
          <Section id="friends" title="Your friends">
            <Friends code={stats.referral_code} terms={terms} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** The tab Refer Friends: the link, what it has brought, and how it works. */
export default function Referrals(terms: Terms): ReactNode {
  return (
    <div className="stack">
      <PageHead
        title="Refer Friends"
        lead={`${formatNumber(terms.reward)} credits for you, ${terms.bonus} for each friend you bring.`}
      />
      <ReferralOverview terms={terms} />
    </div>
  );
}
