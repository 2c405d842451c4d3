import { useLayoutEffect, useRef } from "react";

import { openTabSign, type OpenSign, type TabSign } from "./tab-sign";

/**
 * Shows a sign in the browser's tab as long as the part of the page is there; none for null. It changes in the same
 * moment as the page, so that the two never say different things.
 */
export function useTabSign(sign: TabSign | null): void {
  const open = useRef<OpenSign | null>(null);
  const { words, icon } = sign ?? {};
  useLayoutEffect(() => {
    const opened = openTabSign();
    open.current = opened;
    return () => opened.close();
  }, []);
  useLayoutEffect(() => {
    open.current?.show(words === undefined || icon === undefined ? null : { words, icon });
  }, [words, icon]);
}
