import { setNonce } from "get-nonce";
import { Component, type ComponentType, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";

import { queryClient } from "./lib/query";

// Radix's scroll lock adds a style element; the policy allows it with the page's nonce only.
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
if (nonce) setNonce(nonce);

interface BoundaryProps {
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="notice notice-danger" role="alert">
        <p>This part of the page stopped working.</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}

const roots = new WeakMap<HTMLElement, Root>();
let mounts = 0;

interface Props {
  /** Answers of calls that came with the page, under the keys by which they are asked for. */
  known?: Record<string, unknown>;
  [name: string]: unknown;
}

/** Shows the island in this element. Rendering again starts it afresh, so a dialog can be opened twice. */
export function renderIsland(
  element: HTMLElement,
  Island: ComponentType<never>,
  { known = {}, ...props }: Props,
): void {
  for (const [key, answer] of Object.entries(known)) queryClient.setQueryData([key], answer);
  const Known = Island as ComponentType<object>;
  const root = roots.get(element) ?? createRoot(element);
  roots.set(element, root);
  mounts += 1;
  root.render(
    <Boundary key={mounts}>
      <QueryClientProvider client={queryClient}>
        <Known {...props} />
      </QueryClientProvider>
    </Boundary>,
  );
}

/** Takes away what was shown in this element, for good. */
export function unmountIsland(element: HTMLElement): void {
  roots.get(element)?.unmount();
  roots.delete(element);
}
