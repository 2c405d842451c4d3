import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterAll, afterEach, beforeEach, vi } from "vitest";

import { queryClient } from "../src/lib/query";

// A busy machine is no failure: what is awaited may take as long as a test.
const PATIENCE_MS = 15_000;
configure({ asyncUtilTimeout: PATIENCE_MS });
const { waitFor } = vi;
vi.waitFor = (callback, options = PATIENCE_MS) => waitFor(callback, options);

// sonner puts its stylesheet into the page, which the bundle leaves out; jsdom would match each element against it.
for (const sheet of document.querySelectorAll("style")) sheet.remove();

// What jsdom lacks and the libraries ask for.
URL.createObjectURL = () => "blob:test";
window.matchMedia = (media) => Object.assign(new EventTarget(), stillMedia(media));
URL.revokeObjectURL = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.setPointerCapture = () => undefined;

window.ResizeObserver = class {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
};

function stillMedia(media: string) {
  return {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem("token", "token-1");
  history.replaceState(null, "", "/dashboard");
});

afterEach(() => {
  cleanup();
  toast.dismiss();
  queryClient.clear();
  vi.useRealTimers();
});

// The next file of this worker loads our modules anew: what they remember belongs to one page.
afterAll(() => {
  vi.resetModules();
});
