import { useState, type ReactNode } from "react";

import { readInvitation } from "../../../../lib/referral-code";
import { Button, ButtonLink } from "../../../../ui/button";
import { Failure } from "../../../../ui/form";
import { GOOGLE_FAILED } from "../calls";

function GoogleMark(): ReactNode {
  return (
    <svg className="google-mark" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M21.6 12.2c0-.7-.1-1.3-.2-1.9H12v3.7h5.4a4.6 4.6 0 0 1-2 3v2.5h3.2a9.8 9.8 0 0 0 3-7.3z" />
      <path d="M12 22c2.7 0 5-.9 6.6-2.4l-3.2-2.5a6 6 0 0 1-9-3.1H3.1v2.5A10 10 0 0 0 12 22z" />
      <path d="M6.4 14a6 6 0 0 1 0-3.9V7.5H3.1a10 10 0 0 0 0 9z" />
      <path d="M12 6a5.4 5.4 0 0 1 3.8 1.5l2.9-2.9A10 10 0 0 0 3.1 7.5l3.3 2.6A6 6 0 0 1 12 6z" />
    </svg>
  );
}

/** Leaves for Google. Without a Google client on the server it says that it does not work, and leaves for nowhere. */
export function GoogleButton({ configured }: { configured: boolean }): ReactNode {
  const [failed, setFailed] = useState(false);
  const words = (
    <>
      <GoogleMark />
      Continue with Google
    </>
  );
  const ref = readInvitation();
  const query = new URLSearchParams({ return: location.origin, ...(ref ? { ref } : {}) });
  const address = `/api/auth/google/start?${query.toString()}`;
  return (
    <>
      <p className="auth-or">or</p>
      {configured ? (
        <ButtonLink href={address}>{words}</ButtonLink>
      ) : (
        <Button onClick={() => setFailed(true)}>{words}</Button>
      )}
      <Failure>{failed ? GOOGLE_FAILED : null}</Failure>
    </>
  );
}
