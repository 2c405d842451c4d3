import type { ReactNode } from "react";

import type { OwnedDomain } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { Secret } from "../../../ui/shown-once";
import { EmptyState, Loaded } from "../../../ui/states";
import { refreshDomains, useDomains } from "./calls";
import { AddDomain, RemoveDomain, RequireGoogle } from "./domain-dialogs";

const FOUND = {
  proved: "The record was found: the domain is yours.",
  missing: "The record was not found. DNS can take a while to show it.",
  unknown: "DNS did not answer. Try again in a moment.",
} as const;

function describeState({ proved_at, lost_at }: OwnedDomain): readonly [string, string] {
  if (proved_at === null) return ["Not proved", "neutral"];
  return lost_at === null ? ["Proved", "valid"] : ["Record missing", "risky"];
}

function CheckButton({ domain }: { domain: OwnedDomain }): ReactNode {
  const check = useAction(
    () =>
      readData(
        api.POST("/api/organisation/domains/{domain_id}/check", {
          params: { path: { domain_id: domain.id } },
        }),
      ),
    "The domain could not be checked",
    { done: ({ found }) => (found === "proved" ? FOUND.proved : null), onEnd: refreshDomains },
  );
  const found = check.data?.found;
  return (
    <>
      <Button busy={check.isPending} onClick={() => check.mutate()}>
        Check now
      </Button>
      {found && found !== "proved" ? <span role="status">{FOUND[found]}</span> : null}
    </>
  );
}

function LiftGoogle({ domain }: { domain: OwnedDomain }): ReactNode {
  const lift = useAction(
    () =>
      readData(
        api.PUT("/api/organisation/domains/{domain_id}", {
          params: { path: { domain_id: domain.id } },
          body: { google_required: false },
        }),
      ),
    "The rule could not be saved",
    { done: () => `People of ${domain.name} may sign in with a password again.`, onEnd: refreshDomains },
  );
  return (
    <Button busy={lift.isPending} onClick={() => lift.mutate()}>
      Allow passwords
    </Button>
  );
}

function GoogleControl({ domain, google }: { domain: OwnedDomain; google: boolean }): ReactNode {
  if (domain.google_required) return <LiftGoogle domain={domain} />;
  if (domain.proved_at === null || !google) return null;
  return (
    <DialogButton dialog={(close) => <RequireGoogle domain={domain} onClose={close} />}>
      Require Google
    </DialogButton>
  );
}

function Record({ domain }: { domain: OwnedDomain }): ReactNode {
  if (domain.proved_at !== null && domain.lost_at === null) return null;
  return (
    <div className="stack-1">
      <p>
        Add this TXT record to the DNS of the domain, at <code className="break">{domain.record_name}</code>{" "}
        or at the domain itself:
      </p>
      <Secret text={domain.record_value} label={`TXT record of ${domain.name}`} copy="Copy value" />
      {domain.lost_at ? (
        <p className="notice" role="status">
          Missing since {formatDateTime(domain.lost_at)}. After 7 days its rule ends.
        </p>
      ) : null}
    </div>
  );
}

interface DomainItemProps {
  domain: OwnedDomain;
  manages: boolean;
  google: boolean;
}

function DomainItem({ domain, manages, google }: DomainItemProps): ReactNode {
  return (
    <li className="stack-4 list-block">
      <div className="row row-between">
        <h3 className="break">{domain.name}</h3>
        <span className="row">
          <Badge look={describeState(domain)} />
          {domain.google_required ? <Badge look={["Google only", "neutral"]} /> : null}
        </span>
      </div>
      {manages ? (
        <>
          <Record domain={domain} />
          <div className="row">
            <CheckButton domain={domain} />
            <GoogleControl domain={domain} google={google} />
            <DialogButton
              kind="quiet"
              dialog={(close) => <RemoveDomain domain={domain} onClose={close} />}
              aria-label={`Remove ${domain.name}`}
            >
              Remove
            </DialogButton>
          </div>
        </>
      ) : null}
    </li>
  );
}

/** Domains that the organisation has proved, and whether their people sign in with Google alone. */
export function DomainsRule({ manages }: { manages: boolean }): ReactNode {
  const domains = useDomains();
  const add = manages ? (
    <DialogButton dialog={(close) => <AddDomain onClose={close} />}>Add domain</DialogButton>
  ) : undefined;
  return (
    <Section id="rule-domains" title="Domains and sign-in with Google" aside={add} card>
      <p className="muted">
        For a domain that DNS proves to be yours you can require that its people sign in with Google. SAML is
        not offered.
      </p>
      <Loaded query={domains} fallback="Failed to load domains" rows={2}>
        {({ domains: found, google_available }) =>
          found.length === 0 ? (
            <EmptyState title="No domains yet">
              Add the domain of your addresses, and prove it with a TXT record.
            </EmptyState>
          ) : (
            <ul className="list-rows">
              {found.map((domain) => (
                <DomainItem key={domain.id} domain={domain} manages={manages} google={google_available} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
