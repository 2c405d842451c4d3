// Lays the photographs out on one page: `var/screens/index.html`.
import { existsSync, writeFileSync } from "node:fs";

import { fileOf, FOLDER, LOOKS, STYLE, type State } from "./frames";
import { SCREENS, type Screen } from "./table";

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function row(screen: Screen, state: State): string {
  const looks = LOOKS.map((look) => ({ ...look, file: fileOf(screen.name, state, look) }));
  const images = looks
    .filter(({ file }) => existsSync(`${FOLDER}/${file}`))
    .map(
      ({ file, theme, width }) =>
        `<a href="${file}"><img src="${file}" class="w${width}" loading="lazy" alt="${theme}, ${width} px"></a>`,
    );
  return `<h3>${state}</h3><div class="looks">${images.join("") || "<p>no photograph: see what make screens printed</p>"}</div>`;
}

function section(screen: Screen): string {
  const address = typeof screen.path === "string" ? screen.path : "";
  const rows = screen.states.map((state) => row(screen, state)).join("");
  return `<section><h2>${escaped(screen.name)}</h2><p>${screen.who} <code>${escaped(address)}</code></p>${rows}</section>`;
}

export default function layOut(): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every screen</title><style>${STYLE}</style>
<h1>Every screen</h1>${SCREENS.map(section).join("\n")}</html>`;
  writeFileSync(`${FOLDER}/index.html`, page);
}
