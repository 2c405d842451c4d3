import { Suspense, useState, type ReactNode } from "react";

import type { HelpProps } from "../features/public/help/help-tab";
import { ProfileForm } from "../features/accounts/profile/profile-form";
import type { PackOffer } from "../features/billing/catalogue/offers";
import { mayDo } from "../lib/rights";
import { Allowed, RefusedCard } from "../ui/allowed";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { Section } from "../ui/section";
import { SectionNav } from "../ui/section-nav";
import { SkeletonCards, SkeletonRows } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";

const ApiKeys = lazyPart(async () => (await import("../features/accounts/keys/api-keys")).ApiKeys);
const SecondFactor = lazyPart(
  async () => (await import("../features/accounts/signin/second-factor/second-factor-card")).SecondFactor,
);
const Sessions = lazyPart(
  async () => (await import("../features/accounts/signin/sessions/session-list")).Sessions,
);
const ActivityLog = lazyPart(
  async () => (await import("../features/accounts/activity/activity-log")).ActivityLog,
);
const PasswordTab = lazyPart(
  async () => (await import("../features/accounts/signin/password-tab")).PasswordTab,
);
const RequestLog = lazyPart(
  async () => (await import("../features/accounts/activity/request-log")).RequestLog,
);
const PaymentReturn = lazyPart(
  async () => (await import("../features/billing/payments/payment-return")).PaymentReturn,
);
const SubscriptionTab = lazyPart(
  async () => (await import("../features/billing/subscriptions/subscription-tab")).SubscriptionTab,
);
const PaymentMethods = lazyPart(
  async () => (await import("../features/billing/payments/payment-methods")).PaymentMethods,
);
const HelpTab = lazyPart(async () => (await import("../features/public/help/help-tab")).HelpTab);
const PrivacyTab = lazyPart(
  async () => (await import("../features/accounts/privacy/privacy-tab")).PrivacyTab,
);
const FirstHour = lazyPart(
  async () => (await import("../features/validation/first-hour/first-hour")).FirstHour,
);
const Webhooks = lazyPart(
  async () => (await import("../features/validation/webhooks/webhooks-card")).Webhooks,
);

const SECTIONS = [
  ["profile", "Profile"],
  ["first-hour", "First hour"],
  ["api-keys", "API Keys"],
  ["webhooks", "Webhooks"],
  ["requests", "Request log"],
  ["security", "Security"],
  ["sessions", "Sessions"],
  ["activity", "Activity"],
] as const;

const OF_DEVELOPERS = new Set<string>(["first-hour", "webhooks", "requests"]);

/** A card that is on its way, under the name that links know it by. */
function CardSkeleton({ anchor }: { anchor: string }): ReactNode {
  return <div className="card skeleton skeleton-card anchor" id={anchor} />;
}

function DeveloperCards(): ReactNode {
  return (
    <>
      <Suspense fallback={<CardSkeleton anchor="first-hour" />}>
        <FirstHour />
      </Suspense>
      <Suspense fallback={<CardSkeleton anchor="api-keys" />}>
        <ApiKeys />
      </Suspense>
      <Suspense fallback={<CardSkeleton anchor="webhooks" />}>
        <Webhooks />
      </Suspense>
      <Section id="requests-heading" title="Request log" card anchor="requests">
        <Suspense fallback={<SkeletonRows count={5} />}>
          <RequestLog />
        </Suspense>
      </Section>
    </>
  );
}

/** Links to the keys, webhooks and the request log lead here too. */
function RefusedDeveloper(): ReactNode {
  return (
    <Section id="keys-heading" title="API Keys, webhooks and request log" anchor="api-keys">
      <RefusedCard />
    </Section>
  );
}

function ProfileTab(): ReactNode {
  return (
    <div className="stack">
      <SectionNav sections={SECTIONS.filter(([key]) => mayDo("develop") || !OF_DEVELOPERS.has(key))} />
      <ProfileForm />
      {mayDo("develop") ? <DeveloperCards /> : <RefusedDeveloper />}
      <Section id="security-heading" title="Security" anchor="security">
        <Suspense fallback={<CardSkeleton anchor="second-factor" />}>
          <SecondFactor />
        </Suspense>
        <Suspense fallback={<CardSkeleton anchor="sessions" />}>
          <Sessions />
        </Suspense>
        <Suspense fallback={<CardSkeleton anchor="activity" />}>
          <ActivityLog />
        </Suspense>
      </Section>
    </div>
  );
}

interface SettingsProps extends HelpProps {
  packs?: PackOffer[];
}

type TabParts = readonly [key: string, label: string, cards: number, content: ReactNode];

function listTabs({ packs = [], ...help }: SettingsProps): readonly TabParts[] {
  return [
    ["profile", "Profile Settings", 4, <ProfileTab />],
    [
      "subscription",
      "Manage Subscription",
      4,
      <Allowed right="pay">
        <SubscriptionTab packs={packs} />
      </Allowed>,
    ],
    [
      "payment-methods",
      "Payment Methods",
      1,
      <Allowed right="pay">
        <PaymentMethods />
      </Allowed>,
    ],
    ["password", "Password Reset", 1, <PasswordTab />],
    ["help", "Help Center", 2, <HelpTab {...help} />],
    ["privacy", "Privacy", 4, <PrivacyTab />],
  ];
}

function buildTab([key, label, cards, content]: TabParts): Tab {
  return { key, label, content: <Suspense fallback={<SkeletonCards count={cards} />}>{content}</Suspense> };
}

const OF_PAYERS = new Set(["subscription", "payment-methods"]);

/** What the role does not include is not offered; a link to it says whom to ask. */
function isOffered([key]: TabParts, linked: string | null): boolean {
  return mayDo("pay") || !OF_PAYERS.has(key) || key === linked;
}

/** The account's settings. */
export default function Settings(props: SettingsProps): ReactNode {
  const [isBack] = useState(() => new URLSearchParams(location.search).has("payment"));
  const [linked] = useState(() => new URLSearchParams(location.search).get("tab"));
  const offered = listTabs(props).filter((tab) => isOffered(tab, linked));
  const page = <Tabs label="Account settings" tabs={offered.map(buildTab)} />;
  return (
    <>
      <PageHead title="Account settings" lead="Your profile, keys, security and privacy." />
      {isBack ? (
        <Suspense fallback={<SkeletonCards count={4} />}>
          <PaymentReturn>{page}</PaymentReturn>
        </Suspense>
      ) : (
        page
      )}
    </>
  );
}
