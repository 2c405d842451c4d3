import type { ComponentProps, ReactNode } from "react";

import { describeRefusal, mayDo, type Right } from "../lib/rights";
import { isViewing, VIEW_ONLY } from "./viewing";

type Kind = "primary" | "quiet" | "plain" | "danger";

interface ButtonState {
  kind?: Kind;
  /** Says that the press is being worked on; the button keeps its width and refuses another press. */
  busy?: boolean | undefined;
  /** Says that the press asks for what staff who look at an account are refused; so does whatever can be busy. */
  changes?: boolean | undefined;
  /** What the role must include; else it cannot be pressed, and says whom to ask. */
  needs?: Right | undefined;
  /** The single key that presses it. */
  shortcut?: "e" | undefined;
}

const CLASSES: Record<Kind, string> = {
  primary: "button button-primary",
  quiet: "button button-quiet",
  plain: "button",
  danger: "button button-danger",
};

/** What keeps a button from being pressed, and says why. */
function getHoldProps({
  busy,
  needs,
  changes = busy !== undefined,
}: ButtonState): ComponentProps<"button"> | null {
  if (needs && !mayDo(needs)) return { "aria-disabled": true, title: describeRefusal() };
  if (busy) return { "aria-disabled": true, "aria-busy": true };
  return changes && isViewing() ? { "aria-disabled": true, title: VIEW_ONLY } : null;
}

/** How the shell finds what a key presses, and how people learn of the key. */
function getShortcutProps(key: string | undefined): object {
  return key ? { "data-key": key, title: `Key: ${key}` } : {};
}

function preventPress(event: { preventDefault: () => void }): void {
  event.preventDefault();
}

export function Button({
  kind = "plain",
  busy,
  changes,
  needs,
  shortcut,
  onClick,
  ...rest
}: ComponentProps<"button"> & ButtonState): ReactNode {
  const held = getHoldProps({ busy, changes, needs });
  return (
    <button
      type="button"
      className={busy ? `${CLASSES[kind]} button-busy` : CLASSES[kind]}
      {...getShortcutProps(shortcut)}
      {...rest}
      {...held}
      onClick={held ? preventPress : onClick}
    />
  );
}

export function IconButton({ label, ...rest }: ComponentProps<"button"> & { label: string }): ReactNode {
  return (
    <button
      type="button"
      className="button button-quiet button-icon"
      aria-label={label}
      title={label}
      {...rest}
    />
  );
}

/** A link that looks like a button; nothing where the role does not include what it leads to. */
export function ButtonLink({
  kind = "plain",
  needs,
  children,
  ...rest
}: ComponentProps<"a"> & Pick<ButtonState, "kind" | "needs">): ReactNode {
  if (needs && !mayDo(needs)) return null;
  return (
    <a className={CLASSES[kind]} {...rest}>
      {children}
    </a>
  );
}
