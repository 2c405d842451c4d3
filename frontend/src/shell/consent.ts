import { isChatLoaded, openChat } from "../lib/chat";
import { readConsent, hasConsent, storeConsent, type ConsentChoice } from "../lib/consent";

const CHAT_WORDS = "Open live chat";
const NO_CONSENT_WORDS = "Live chat needs your consent";
const CHOSEN: Record<ConsentChoice, string> = {
  accepted: "So far, you have accepted.",
  declined: "So far, you have declined.",
};

function findChatButtons(): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>("[data-chat]");
}

function nameChat(): void {
  for (const button of findChatButtons()) button.textContent = hasConsent() ? CHAT_WORDS : NO_CONSENT_WORDS;
}

function startChat(source: string): void {
  const missing = () => document.getElementById("chat-missing")?.showPopover();
  if (source === "") missing();
  else openChat(source).catch(missing);
}

/**
 * The choice about scripts of others: asked for until it is made, where there is one (`data-consent-asks`); changed from the
 * footer, kept by the browser. A button
 * with `data-chat`, the address of the chat's script, asks for it before anything is loaded.
 */
export function installConsent(): void {
  const bar = document.querySelector<HTMLElement>("[data-consent-bar]");
  if (!bar) return;
  let wanted: string | null = null;
  let opener: Element | null = null;
  const tellChoice = () => {
    const chosen = readConsent();
    const place = bar.querySelector("[data-consent-so-far]");
    if (place && chosen) place.textContent = CHOSEN[chosen];
  };
  const showBar = () => {
    tellChoice();
    opener = document.activeElement;
    bar.hidden = false;
    bar.querySelector("button")?.focus();
  };
  const choose = (choice: ConsentChoice) => {
    storeConsent(choice);
    bar.hidden = true;
    if (opener instanceof HTMLElement) opener.focus();
    nameChat();
    if (choice === "declined" && isChatLoaded()) location.reload();
    if (choice === "accepted" && wanted !== null) startChat(wanted);
    wanted = null;
  };
  bar.hidden = readConsent() !== null || !("consentAsks" in bar.dataset);
  nameChat();
  for (const button of bar.querySelectorAll<HTMLElement>("[data-consent]")) {
    button.addEventListener("click", () =>
      choose(button.dataset.consent === "accepted" ? "accepted" : "declined"),
    );
  }
  document.querySelector("[data-consent-change]")?.addEventListener("click", showBar);
  for (const button of findChatButtons()) {
    button.addEventListener("click", () => {
      wanted = button.dataset.chat ?? "";
      if (hasConsent()) startChat(wanted);
      else showBar();
    });
  }
}
