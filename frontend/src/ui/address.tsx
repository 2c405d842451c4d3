import { Fragment, type ReactNode } from "react";

/** Longer than this no screen has room for, and it may break anywhere. */
const LONG = 26;

function Part({ text }: { text: string }): ReactNode {
  if (text.length > LONG) return <span className="break">{text}</span>;
  return text.includes("-") ? <span className="nowrap">{text}</span> : text;
}

/** An address, which breaks behind `@` and dots and nowhere else. */
export function Address({ email }: { email: string }): ReactNode {
  return (
    <span className="address-text">
      {email.split(/(?<=[@.])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          <Part text={part} />
        </Fragment>
      ))}
    </span>
  );
}

/** An address as a title, between the brackets of a mail server's commands. */
export function AddressTitle({ email }: { email: string }): ReactNode {
  return (
    <span className="bracketed">
      <Address email={email} />
    </span>
  );
}
