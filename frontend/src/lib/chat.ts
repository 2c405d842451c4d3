let loading: Promise<void> | null = null;

function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.async = true;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      loading = null;
      reject(new Error("The chat script was not loaded"));
    });
    document.head.append(script);
  });
}

/** Loads the chat, which then opens a window of its own; once. */
export function openChat(source: string): Promise<void> {
  loading ??= loadScript(source);
  return loading;
}

/** Whether the chat's script is on this page already. */
export function isChatLoaded(): boolean {
  return loading !== null;
}
