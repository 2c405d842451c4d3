// The tab of the browser says how a list stands, or what came out last: in its title and in its icon. Afterwards it is as
// it was.
import type { Category } from "../api/types";
import glyphs from "./glyphs.json";

export interface TabSign {
  /** Before the title of the page. */
  words: string;
  /** A picture, as SVG. */
  icon: string;
}

interface Plain {
  title: string;
  href: string;
}

const signs: { shown: TabSign | null }[] = [];
let plain: Plain | null = null;

function findIcon(): HTMLLinkElement | null {
  return document.querySelector('link[rel="icon"][type="image/svg+xml"]');
}

function setIcon(href: string): void {
  const icon = findIcon();
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

/** Shows the newest sign there is, or the tab as it was. */
function draw(): void {
  const sign = signs.findLast(({ shown }) => shown !== null)?.shown;
  plain ??= { title: document.title, href: findIcon()?.getAttribute("href") ?? "" };
  if (sign) {
    document.title = `${sign.words} · ${plain.title}`;
    setIcon(`data:image/svg+xml,${encodeURIComponent(sign.icon)}`);
  } else {
    document.title = plain.title;
    setIcon(plain.href);
    plain = null;
  }
}

export interface OpenSign {
  show: (sign: TabSign | null) => void;
  /** Takes the sign away for good. */
  close: () => void;
}

/** A sign of one part of the page; of several the one that changed last is shown. */
export function openTabSign(): OpenSign {
  const own: (typeof signs)[number] = { shown: null };
  const take = () => {
    const at = signs.indexOf(own);
    if (at >= 0) signs.splice(at, 1);
  };
  return {
    show: (sign) => {
      take();
      own.shown = sign;
      signs.push(own);
      draw();
    },
    close: () => {
      take();
      draw();
    },
  };
}

// An icon is drawn by the browser outside of the page, where no token reaches: the colours of the dark theme, on ink.
const INK = "#17161a";
const PAPER = "#fefdfb";
const SHADES: Record<Category, string> = {
  valid: "#9dfcd4",
  invalid: "#ff7d70",
  catch_all: "#6ea5ff",
  disposable: "#eba002",
  spam_trap: "#d98be8",
  unknown: "#c4c0b7",
};

/** @param inside between the brackets, in a square of 32. */
function drawMark(inside: string): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-linejoin="round">',
    `<rect width="32" height="32" rx="6" fill="${INK}"/>`,
    `<path d="m7 11-4 5 4 5m18-10 4 5-4 5" stroke="${PAPER}" stroke-width="2.5"/>`,
    inside,
    "</svg>",
  ].join("");
}

/** The mark with the sign of a verdict. */
export function drawVerdict(category: Category): string {
  const place = 'transform="translate(9 9) scale(.875)" fill-rule="evenodd"';
  return drawMark(`<path ${place} fill="${SHADES[category]}" d="${glyphs[category]}"/>`);
}

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

/** The mark with a ring that fills. @param percent 0 to 100. */
export function drawRing(percent: number): string {
  const filled = ((ROUND * percent) / 100).toFixed(2);
  const ring = `<circle cx="16" cy="16" r="${RADIUS}"`;
  const part = `transform="rotate(-90 16 16)" stroke-linecap="butt" stroke-dasharray="${filled} ${ROUND.toFixed(2)}"`;
  return drawMark(`<g stroke="${PAPER}" stroke-width="3">${ring} opacity=".3"/>${ring} ${part}/></g>`);
}
