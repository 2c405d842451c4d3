import { useIsFetching } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";

import { ApiKeys } from "../features/accounts/keys/api-keys";
import type { HelpProps } from "../features/public/help/help-tab";
import { ProfileForm } from "../features/accounts/profile/profile-form";
import { SecondFactor } from "../features/accounts/signin/second-factor/second-factor-card";
import { Sessions } from "../features/accounts/signin/sessions/session-list";
import type { PackOffer } from "../features/billing/catalogue/offers";
import { PageHead } from "../ui/page-head";
import { SkeletonCards, SkeletonRows } from "../ui/states";
import { Tabs, type Tab } from "../ui/tabs";

const ActivityLog = lazy(async () => ({
  default: (await import("../features/accounts/activity/activity-log")).ActivityLog,
}));

const PasswordTab = lazy(async () => ({
  default: (await import("../features/accounts/signin/password-tab")).PasswordTab,
}));

const RequestLog = lazy(async () => ({
  default: (await import("../features/accounts/activity/request-log")).RequestLog,
}));

const PaymentReturn = lazy(async () => ({
  default: (await import("../features/billing/payments/payment-return")).PaymentReturn,
}));

const SubscriptionTab = lazy(async () => ({
  default: (await import("../features/billing/subscriptions/subscription-tab")).SubscriptionTab,
}));

const PaymentMethods = lazy(async () => ({
  default: (await import("../features/billing/payments/payment-methods")).PaymentMethods,
}));

const HelpTab = lazy(async () => ({
  default: (await import("../features/public/help/help-tab")).HelpTab,
}));

const PrivacyTab = lazy(async () => ({
  default: (await import("../features/accounts/privacy/privacy-tab")).PrivacyTab,
}));

const Webhooks = lazy(async () => ({
  default: (await import("../features/validation/webhooks/webhooks-card")).Webhooks,
}));

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
      <section className="card stack-4 anchor" id="requests" aria-labelledby="requests-heading">
        <h2 id="requests-heading">Request log</h2>
        <Suspense fallback={<SkeletonRows count={5} />}>
          <RequestLog />
        </Suspense>
      </section>
      <section className="stack-4 anchor" id="security" aria-labelledby="security-heading">
        <h2 id="security-heading">Security</h2>
        <SecondFactor />
        <Sessions />
        <Suspense fallback={<SkeletonRows count={5} />}>
          <ActivityLog />
        </Suspense>
      </section>
    </div>
  );
}

interface SettingsProps extends HelpProps {
  packs?: PackOffer[];
}

function buildTabs({ packs = [], ...help }: SettingsProps): Tab[] {
  return [
    { key: "profile", label: "Profile Settings", content: <ProfileTab /> },
    {
      key: "subscription",
      label: "Manage Subscription",
      content: (
        <Suspense fallback={<SkeletonCards count={4} />}>
          <SubscriptionTab packs={packs} />
        </Suspense>
      ),
    },
    {
      key: "payment-methods",
      label: "Payment Methods",
      content: (
        <Suspense fallback={<SkeletonCards count={1} />}>
          <PaymentMethods />
        </Suspense>
      ),
    },
    {
      key: "password",
      label: "Password Reset",
      content: (
        <Suspense fallback={<SkeletonCards count={1} />}>
          <PasswordTab />
        </Suspense>
      ),
    },
    {
      key: "help",
      label: "Help Center",
      content: (
        <Suspense fallback={<SkeletonCards count={2} />}>
          <HelpTab {...help} />
        </Suspense>
      ),
    },
    {
      key: "privacy",
      label: "Privacy",
      content: (
        <Suspense fallback={<SkeletonCards count={4} />}>
          <PrivacyTab />
        </Suspense>
      ),
    },
  ];
}

/** The account's settings. */
export default function Settings(props: SettingsProps): ReactNode {
  const [isBack] = useState(() => new URLSearchParams(location.search).has("payment"));
  const page = <Tabs label="Account settings" tabs={buildTabs(props)} />;
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
