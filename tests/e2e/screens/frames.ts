// The looks of a photograph, and where it is kept.
export const FOLDER = `${__dirname}/../../../var/screens`;

export type State = "full" | "empty" | "failing";

export interface Look {
  theme: "light" | "dark";
  width: 1280 | 768 | 390;
}

export const LOOKS: Look[] = [
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
  { width: 768, theme: "light" },
  { width: 768, theme: "dark" },
  { width: 390, theme: "light" },
  { width: 390, theme: "dark" },
];

export function fileOf(name: string, state: State, { theme, width }: Look): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${slug}--${state}-${theme}-${width}.png`;
}

export const STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; background: #ddd; color: #222 }
.looks { display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto }
img { display: block; max-height: 1200px; object-fit: cover; object-position: top; border: 1px solid #999 }
.w1280 { width: 720px } .w768 { width: 440px } .w390 { width: 260px }`;
