import type { ComponentProps, ReactNode } from "react";

type Kind = "primary" | "quiet" | "plain" | "danger";

interface Look {
  kind?: Kind;
  /** Says that the press is being worked on; the button keeps its width and refuses another press. */
  busy?: boolean;
}

const CLASSES: Record<Kind, string> = {
  primary: "button button-primary",
  quiet: "button button-quiet",
  plain: "button",
  danger: "button button-danger",
};

export function Button({
  kind = "plain",
  busy = false,
  onClick,
  ...rest
}: ComponentProps<"button"> & Look): ReactNode {
  return (
    <button
      type="button"
      className={busy ? `${CLASSES[kind]} button-busy` : CLASSES[kind]}
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
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

export function ButtonLink({
  kind = "plain",
  children,
  ...rest
}: ComponentProps<"a"> & Pick<Look, "kind">): ReactNode {
  return (
    <a className={CLASSES[kind]} {...rest}>
      {children}
    </a>
  );
}
