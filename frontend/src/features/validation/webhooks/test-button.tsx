import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Webhook } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { refreshWebhooks } from "./use-webhooks";

/** Sends an example to an endpoint. */
export function TestButton({ webhook }: { webhook: Webhook }): ReactNode {
  const params = { path: { webhook_id: webhook.id } };
  const testing = useAction(
    () => readData(api.POST("/api/user/webhooks/{webhook_id}/test", { params })),
    "The test could not be sent",
    {
      onDone: ({ delivered, message }) => {
        if (delivered) toast.success(message);
        else toast.error(message);
        return refreshWebhooks();
      },
    },
  );
  return (
    <Button aria-label={`Test ${webhook.url}`} busy={testing.isPending} onClick={() => testing.mutate()}>
      Test
    </Button>
  );
}
