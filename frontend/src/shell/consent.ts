import { isChatLoaded, openChat } from "../lib/chat";
import { consent, hasConsent, keepConsent, type Choice } from "../lib/consent";

const CHAT_WORDS = "Open live chat";
const NO_CONSENT_WORDS = "Live chat needs your consent";
const CHOSEN: Record<Choice, string> = {
  accepted: "So far, you have accepted.",
  declined: "So far, you have declined.",
};

function chatButtons(): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>("[data-chat]");
}

function nameChat(): void {
  for (const button of chatButtons()) button.textContent = hasConsent() ? CHAT_WORDS : NO_CONSENT_WORDS;
}

function startChat(source: string): void {
  const missing = () => document.getElementById("chat-missing")?.showPopover();
  if (source === "") missing();
  else openChat(source).catch(missing);
}

/**
 * The choice about scripts of others: asked for until it is made, changed from the footer, kept by the browser. A button
 * with `data-chat`, the address of the chat's script, asks for it before anything is loaded.
 */
export function installConsent(): void {
  const bar = document.querySelector<HTMLElement>("[data-consent-bar]");
  if (!bar) return;
  let wanted: string | null = null;
  let opener: Element | null = null;
  const tellChoice = () => {
    const chosen = consent();
    const place = bar.querySelector("[data-consent-so-far]");
    if (place && chosen) place.textContent = CHOSEN[chosen];
  };
  const ask = () => {
    tellChoice();
    opener = document.activeElement;
    bar.hidden = false;
    bar.querySelector("button")?.focus();
  };
  const choose = (choice: Choice) => {
    keepConsent(choice);
    bar.hidden = true;
    if (opener instanceof HTMLElement) opener.focus();
    nameChat();
    if (choice === "declined" && isChatLoaded()) location.reload();
    if (choice === "accepted" && wanted !== null) startChat(wanted);
    wanted = null;
  };
  bar.hidden = consent() !== null;
  nameChat();
  for (const button of bar.querySelectorAll<HTMLElement>("[data-consent]")) {
    button.addEventListener("click", () =>
      choose(button.dataset.consent === "accepted" ? "accepted" : "declined"),
    );
  }
  document.querySelector("[data-consent-change]")?.addEventListener("click", ask);
  for (const button of chatButtons()) {
    button.addEventListener("click", () => {
      wanted = button.dataset.chat ?? "";
      if (hasConsent()) startChat(wanted);
      else ask();
    });
  }
}
