import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { Checkbox } from "../../../ui/checkbox";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";

function loadDownloads() {
  return readData(api.GET("/api/organisation/downloads"));
}

type Downloads = Awaited<ReturnType<typeof loadDownloads>>;

/** Whether viewers may save results as files. */
export function DownloadsRule({ manages }: { manages: boolean }): ReactNode {
  const downloads = useQuery({ queryKey: ["downloads"], queryFn: loadDownloads });
  const save = useOptimisticSave<Downloads>("downloads", ({ viewers_may_download = true }) =>
    readData(api.PUT("/api/organisation/downloads", { body: { viewers_may_download } })),
  );
  return (
    <Section id="downloads-heading" title="Downloads" card anchor="downloads">
      <Loaded query={downloads} fallback="Failed to load the rule of downloads" rows={1}>
        {({ viewers_may_download }) =>
          manages ? (
            <Checkbox
              label="Viewers may download lists"
              hint="Without it they read results on the page alone."
              checked={viewers_may_download}
              onChange={(may) => save.mutate({ viewers_may_download: may })}
            />
          ) : (
            <p>{viewers_may_download ? "Viewers may download lists." : "Viewers may not download lists."}</p>
          )
        }
      </Loaded>
    </Section>
  );
}
