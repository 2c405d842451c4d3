import { useQuery } from "@tanstack/react-query";
import Check from "lucide-react/icons/check";
import { useState, type ReactNode } from "react";

import type { FirstHour as Hour } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { CreateKey } from "../../accounts/keys/key-dialogs";

const POLL_MS = 4_000;
const STEPS = ["key", "call", "webhook", "list"] as const;

function countDone(hour: Hour): number {
  return STEPS.filter((step) => hour[step] !== null).length;
}

/** The steps, asked for again while one is missing and the page is looked at. */
function useFirstHour() {
  return useQuery({
    queryKey: ["first-hour"],
    queryFn: () => readData(api.GET("/api/user/first-hour")),
    refetchInterval: ({ state }) => (state.data && countDone(state.data) < STEPS.length ? POLL_MS : false),
  });
}

/** A call for a shell that holds the key. */
function buildCommand(path: string, body: object): string {
  return [
    `curl ${location.origin}/api/v1/${path} \\`,
    `  -H "Authorization: Bearer $EMAILCHECK_KEY" \\`,
    `  -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`,
  ].join("\n");
}

function Command({ text, copy }: { text: string; copy: string }): ReactNode {
  return (
    <div className="prose">
      <pre>{text}</pre>
      <div className="row">
        <CopyButton text={text} label={copy} />
      </div>
    </div>
  );
}

interface StepProps {
  title: string;
  text: ReactNode;
  /** When it was first seen, null until then; left out where nothing can be seen. */
  at?: string | null;
  /** What there is to do, until it is done. */
  action: ReactNode;
}

function Step({ title, text, at, action }: StepProps): ReactNode {
  return (
    <li className="list-block stack-2">
      <div className="row row-between">
        <h3>{title}</h3>
        {at ? (
          <span className="row muted small">
            <Badge look={["Done", "plain", Check]} /> <Time at={at} />
          </span>
        ) : null}
        {at === null ? <span className="muted small">Not seen yet</span> : null}
      </div>
      {at ? null : (
        <>
          <p className="muted">{text}</p>
          {action}
        </>
      )}
    </li>
  );
}

function KeyStep({ at }: { at: string | null }): ReactNode {
  const [creating, setCreating] = useState(false);
  return (
    <>
      <Step
        title="2. Make a key"
        text="A test key costs nothing and asks no mail server; it is shown once."
        at={at}
        action={
          <div className="row">
            <Button onClick={() => setCreating(true)}>Make a test key</Button>
          </div>
        }
      />
      {creating ? <CreateKey trial onClose={() => setCreating(false)} /> : null}
    </>
  );
}

function CallStep({ at }: { at: string | null }): ReactNode {
  const call = buildCommand("validate/single", { email: "valid@test.emailcheck.app" });
  return (
    <Step
      title="3. First call"
      text={
        <>
          Put the key into the variable <code>EMAILCHECK_KEY</code> of your shell, and check an address.
        </>
      }
      at={at}
      action={<Command text={call} copy="Copy call" />}
    />
  );
}

function ListStep({ at }: { at: string | null }): ReactNode {
  const emails = ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"];
  return (
    <Step
      title="5. First list"
      text="Check several addresses at once; a list of a test key is kept for seven days."
      at={at}
      action={<Command text={buildCommand("validate/bulk", { emails })} copy="Copy list" />}
    />
  );
}

function Steps({ hour }: { hour: Hour }): ReactNode {
  return (
    <ol className="list-rows">
      <Step
        title="1. Read the documentation"
        text="What a verdict says, what it costs, and test mode, in a few minutes."
        action={
          <div className="row">
            <ButtonLink href="/documentation#overview">Read the documentation</ButtonLink>
          </div>
        }
      />
      <KeyStep at={hour.key} />
      <CallStep at={hour.call} />
      <Step
        title="4. First webhook"
        text="Add an endpoint, one of test mode on any plan, and press its Test."
        at={hour.webhook}
        action={
          <div className="row">
            <ButtonLink href="#webhooks">Go to webhooks</ButtonLink>
          </div>
        }
      />
      <ListStep at={hour.list} />
    </ol>
  );
}

/** From the documentation to the first list, each step ticked when the product saw it happen. */
export function FirstHour(): ReactNode {
  const hour = useFirstHour();
  const done = hour.data ? countDone(hour.data) : 0;
  const isOver = done === STEPS.length;
  return (
    <Section
      id="first-hour-heading"
      title={isOver ? "First hour: done" : "First hour"}
      aside={
        <span className="muted small" role="status">
          {hour.data && !isOver ? `${done} of ${STEPS.length} seen` : ""}
        </span>
      }
      card
      anchor="first-hour"
    >
      {isOver ? null : (
        <Loaded query={hour} fallback="Failed to load the first hour" rows={5}>
          {(found) => <Steps hour={found} />}
        </Loaded>
      )}
    </Section>
  );
}
