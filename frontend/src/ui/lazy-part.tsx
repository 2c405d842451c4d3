import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** A part of the page whose code comes when it is shown. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
