import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";

import { saveBlob } from "../../../../lib/download";
import { Button } from "../../../../ui/button";
import { CopyButton } from "../../../../ui/copy-button";

/** The codes, which are shown this once, with ways to keep them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }): ReactNode {
  const text = codes.join("\n");
  const download = () => saveBlob(new Blob([`${text}\n`], { type: "text/plain" }), "recovery-codes.txt");
  return (
    <div className="stack-4">
      <p>
        Keep these codes where you find them without your phone. Each signs you in once in place of a code
        from the app. <strong>They are not shown again.</strong>
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row no-print">
        <CopyButton text={text} />
        <Button onClick={download}>
          <Download size={16} aria-hidden />
          Download
        </Button>
        <Button onClick={() => window.print()}>
          <Printer size={16} aria-hidden />
          Print
        </Button>
      </div>
    </div>
  );
}
