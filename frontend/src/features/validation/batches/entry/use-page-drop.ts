import { useEffect, useEffectEvent, useState } from "react";

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Files may be dropped anywhere on the page. True while some are held over it; Escape lets go of them. */
export function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const dropped = useEffectEvent(onFiles);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hold = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      dropped([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragenter", hold, { signal });
    addEventListener("dragover", hold, { signal });
    addEventListener("drop", drop, { signal });
    // Out of the window; between two elements of the page there is another one to go to.
    addEventListener("dragleave", ({ relatedTarget }) => (relatedTarget ? undefined : setOver(false)), {
      signal,
    });
    addEventListener("keydown", ({ key }) => (key === "Escape" ? setOver(false) : undefined), { signal });
    return () => listening.abort();
  }, []);
  return over;
}
