const SCENE_MS = 6_000;

interface Walkthrough {
  step: (by: number) => void;
  toggle: (running?: boolean) => void;
}

function prepareWalkthrough(box: HTMLElement): Walkthrough {
  const scenes = [...box.querySelectorAll<HTMLElement>("[data-scene]")];
  const at = box.querySelector("[data-walk-at]");
  const button = box.querySelector("[data-walk-play]");
  const dialog = box.closest("dialog");
  let current = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const show = (next: number) => {
    current = (next + scenes.length) % scenes.length;
    for (const [index, scene] of scenes.entries()) {
      if (index === current) scene.setAttribute("aria-current", "step");
      else scene.removeAttribute("aria-current");
    }
    if (at) at.textContent = `${current + 1} of ${scenes.length}`;
  };
  const toggle = (running = timer === undefined) => {
    clearInterval(timer);
    timer = running ? setInterval(() => document.hidden || show(current + 1), SCENE_MS) : undefined;
    at?.setAttribute("aria-live", running ? "off" : "polite");
    if (button) button.textContent = running ? "Pause" : "Play";
  };
  const step = (by: number) => {
    toggle(false);
    show(current + by);
  };
  dialog?.addEventListener("close", () => toggle(false));
  dialog?.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowRight") step(1);
    if (key === "ArrowLeft") step(-1);
  });
  button?.addEventListener("click", () => toggle());
  for (const arrow of box.querySelectorAll<HTMLElement>("[data-walk-step]")) {
    arrow.addEventListener("click", () => step(Number(arrow.dataset.walkStep)));
  }
  return { step, toggle };
}

const walkthroughs = new WeakMap<HTMLElement, Walkthrough>();

/** Starts the walkthrough in this element; who asked for less motion goes from scene to scene by hand. */
export function playWalkthrough(box: HTMLElement): void {
  const walk = walkthroughs.get(box) ?? prepareWalkthrough(box);
  walkthroughs.set(box, walk);
  walk.toggle(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}
