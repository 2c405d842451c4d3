import { useQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import Mail from "lucide-react/icons/mail";
import MessageCircle from "lucide-react/icons/message-circle";
import Phone from "lucide-react/icons/phone";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import { api, readData } from "../../../lib/client";
import { openChat } from "../../../lib/chat";
import { hasConsent, storeConsent } from "../../../lib/consent";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { Section } from "../../../ui/section";
import { SectionNav } from "../../../ui/section-nav";

export interface HelpProps {
  answers: readonly { question: string; answer: string }[];
  support_email: string;
  /** Empty where there is none. */
  support_phone: string;
  chat: string;
}

const SECTIONS = [
  ["contact", "Contact"],
  ["answers", "Quick answers"],
  ["reading", "Read on"],
] as const;
/** Tones of the overall states, as on the status page. */
const STATUS_TONES: Partial<Record<string, string>> = {
  "All Systems Operational": "valid",
  "Partial System Outage": "risky",
  "Major System Outage": "invalid",
};
const CHAT_REPLY = "Average reply under 2 minutes";
const NO_CHAT_HERE = "Not set up on this installation";
const NO_CHAT = "Chat widget not available. Please refresh the page.";

function ChatButton({ source }: { source: string }): ReactNode {
  const [agreed, setAgreed] = useState(hasConsent);
  const [asking, setAsking] = useState(false);
  const open = () => {
    if (source === "") toast.error(NO_CHAT);
    else openChat(source).catch(() => toast.error(NO_CHAT));
  };
  if (source === "" || agreed) return <Button onClick={open}>Open live chat</Button>;
  if (!asking) return <Button onClick={() => setAsking(true)}>Live chat needs your consent</Button>;
  const accept = () => {
    storeConsent("accepted");
    setAgreed(true);
    open();
  };
  return (
    <div className="stack-2" role="group" aria-label="Consent to live chat">
      <p className="small">
        The chat is run by another company, which may set cookies and sees what you write.
      </p>
      <div className="row">
        <Button onClick={accept}>Agree and open</Button>
        <Button kind="quiet" onClick={() => setAsking(false)}>
          Not now
        </Button>
      </div>
    </div>
  );
}

interface ChannelProps {
  icon: LucideIcon;
  title: string;
  figure: string;
  children: ReactNode;
}

function Channel({ icon: Icon, title, figure, children }: ChannelProps): ReactNode {
  return (
    <div className="card channel">
      <h2 className="row">
        <Icon size={18} aria-hidden />
        {title}
      </h2>
      <p className="muted">{figure}</p>
      {children}
    </div>
  );
}

function Channels({ support_email, support_phone, chat }: HelpProps): ReactNode {
  return (
    <div className="cards anchor" id="contact">
      <Channel icon={MessageCircle} title="Live chat" figure={chat === "" ? NO_CHAT_HERE : CHAT_REPLY}>
        <ChatButton source={chat} />
      </Channel>
      <Channel icon={Mail} title="Email support" figure="Messages accepted 24/7, reply within 24 hours">
        <ButtonLink href={`mailto:${support_email}`}>{support_email}</ButtonLink>
      </Channel>
      <Channel icon={Phone} title="Phone support" figure="Monday to Friday, 9AM-6PM EST">
        {support_phone === "" ? (
          <p>Phone support is not configured</p>
        ) : (
          <Button onClick={() => toast.info(support_phone)}>Show phone number</Button>
        )}
      </Channel>
    </div>
  );
}

/** The overall status, as measured now; nothing while it is not known. */
function StatusBanner(): ReactNode {
  const { data } = useQuery({ queryKey: ["status"], queryFn: () => readData(api.GET("/api/status")) });
  if (!data) return null;
  return (
    <p className="card card-head">
      <Badge look={[data.overall, STATUS_TONES[data.overall] ?? "unknown"]} />
      <a href="/status">Status of each service</a>
    </p>
  );
}

/** The tab Help Center. */
export function HelpTab(props: HelpProps): ReactNode {
  return (
    <div className="stack">
      <SectionNav sections={SECTIONS} />
      <StatusBanner />
      <Channels {...props} />
      <p className="muted">We aim for 99.9% uptime.</p>
      <Section id="answers-heading" title="Quick answers" card anchor="answers">
        <div className="answers">
          {props.answers.map(({ question, answer }) => (
            <details key={question}>
              <summary>{question}</summary>
              {/* Rendered on the server, from a file of ours. */}
              <div className="prose" dangerouslySetInnerHTML={{ __html: answer }} />
            </details>
          ))}
        </div>
      </Section>
      <Section id="reading-heading" title="Read on" card anchor="reading">
        <div className="row">
          <ButtonLink href="/help-center">All answers</ButtonLink>
          <ButtonLink href="/documentation">Documentation</ButtonLink>
          <ButtonLink href="/documentation#overview">Getting-started guide</ButtonLink>
          <ButtonLink href="/dashboard?tour=again">Take the tour again</ButtonLink>
        </div>
      </Section>
    </div>
  );
}
