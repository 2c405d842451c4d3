import { useIsFetching } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState, type ReactNode } from "react";

import { ApiKeys } from "../features/accounts/keys/api-keys";
import type { HelpProps } from "../features/public/help/help-tab";
import { ProfileForm } from "../features/accounts/profile/profile-form";
import { SecondFactor } from "../features/accounts/signin/second-factor/second-factor-card";
import { Sessions } from "../features/accounts/signin/sessions/session-list";
import type { PackOffer } from "../features/billing/catalogue/offers";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { Section } from "../ui/section";
import { SkeletonCards, SkeletonRows } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";

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
const Webhooks = lazyPart(
  async () => (await import("../features/validation/webhooks/webhooks-card")).Webhooks,
);

/** Goes to the section that the address names, when everything has been loaded: until then it would be moved again. */
function useAnchor(): void {
  const loading = useIsFetching() > 0;
  const arrived = useRef(false);
  useEffect(() => {
    if (location.hash) history.scrollRestoration = "manual";
  }, []);
  useEffect(() => {
    if (loading || arrived.current || document.querySelector(".skeleton")) return;
    arrived.current = true;
    // In a frame of its own: what has just moved out of sight would move in sight otherwise.
    const scrollToAnchor = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();
    requestAnimationFrame(() => requestAnimationFrame(scrollToAnchor));
  }, [loading]);
}

function ProfileTab(): ReactNode {
  useAnchor();
  return (
    <div className="stack">
      <ProfileForm />
      <ApiKeys />
      <Suspense fallback={<section className="card skeleton skeleton-card anchor" id="webhooks" />}>
        <Webhooks />
      </Suspense>
      <Section id="requests-heading" title="Request log" card anchor="requests">
        <Suspense fallback={<SkeletonRows count={5} />}>
          <RequestLog />
        </Suspense>
      </Section>
      <Section id="security-heading" title="Security" anchor="security">
        <SecondFactor />
        <Sessions />
        <Suspense fallback={<SkeletonRows count={5} />}>
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
    ["subscription", "Manage Subscription", 4, <SubscriptionTab packs={packs} />],
    ["payment-methods", "Payment Methods", 1, <PaymentMethods />],
    ["password", "Password Reset", 1, <PasswordTab />],
    ["help", "Help Center", 2, <HelpTab {...help} />],
    ["privacy", "Privacy", 4, <PrivacyTab />],
  ];
}

function buildTab([key, label, cards, content]: TabParts): Tab {
  return { key, label, content: <Suspense fallback={<SkeletonCards count={cards} />}>{content}</Suspense> };
}

/** The account's settings. */
export default function Settings(props: SettingsProps): ReactNode {
  const [isBack] = useState(() => new URLSearchParams(location.search).has("payment"));
  const page = <Tabs label="Account settings" tabs={listTabs(props).map(buildTab)} />;
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
