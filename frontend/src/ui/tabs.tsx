import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";

import { useUrlState } from "../lib/url-state";
import { isPlainPress } from "../lib/address-bar";

export interface Tab {
  key: string;
  label: string;
  content: ReactNode;
}

interface TabsProps {
  tabs: readonly Tab[];
  label: string;
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The tab that an arrow key, Home or End leads to. */
function findTarget(event: KeyboardEvent, at: number, count: number): number | null {
  if (event.key === "Home") return 0;
  if (event.key === "End") return count - 1;
  const step = STEPS[event.key];
  return step === undefined ? null : (at + step + count) % count;
}

/** Tabs whose choice lives in the address (`?tab=`), so that it survives reload and the back button. */
export function Tabs({ tabs, label }: TabsProps): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useUrlState();
  const wanted = tabs.findIndex(({ key }) => key === url.get("tab"));
  const at = Math.max(wanted, 0);
  // On a phone the strip is longer than the screen.
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [at]);
  const choose = (tab: Tab | undefined) => {
    if (tab) setUrl({ tab: tab.key });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = findTarget(event, at, tabs.length);
    if (next === null) return;
    event.preventDefault();
    choose(tabs[next]);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="tabbed">
      <div ref={list} className="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <a
            key={tab.key}
            id={`${id}-${tab.key}`}
            role="tab"
            href={`?tab=${tab.key}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={(event) => {
              if (!isPlainPress(event)) return;
              event.preventDefault();
              choose(tab);
            }}
          >
            {tab.label}
          </a>
        ))}
      </div>
      <div
        className="tab-panel"
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tabs[at]?.key ?? ""}`}
        tabIndex={-1}
      >
        {tabs[at]?.content}
      </div>
    </div>
  );
}
