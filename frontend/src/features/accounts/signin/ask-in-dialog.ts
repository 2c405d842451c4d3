import type { FunctionComponent } from "react";

/** A question on its own, above whatever is shown: it says how it was answered. */
export type Question = FunctionComponent<{ onEnd: (yes: boolean) => void }>;

/** Shows a question, whose code comes now, and answers as the user did. */
export async function askInDialog(loadQuestion: () => Promise<Question>): Promise<boolean> {
  const [{ renderIsland, unmountIsland }, Question] = await Promise.all([
    import("../../../render"),
    loadQuestion(),
  ]);
  const place = document.createElement("div");
  document.body.append(place);
  const yes = await new Promise<boolean>((resolve) => {
    renderIsland(place, Question, { onEnd: resolve });
  });
  unmountIsland(place);
  place.remove();
  return yes;
}
