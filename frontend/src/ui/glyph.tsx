import type { ComponentType, ReactNode } from "react";

import glyphs from "../lib/glyphs.json";

/** A small picture beside words, which say what it means. */
export type Shape = ComponentType<{ size: number; "aria-hidden": true }>;

export type GlyphName = keyof typeof glyphs;

interface GlyphProps {
  name: GlyphName;
  size?: number;
}

/** The sign of a verdict: one shape for each, the same wherever it is drawn, also by templates. */
export function Glyph({ name, size = 16 }: GlyphProps): ReactNode {
  return (
    <svg className="glyph" width={size} height={size} viewBox="0 0 16 16" aria-hidden>
      <path fillRule="evenodd" d={glyphs[name]} />
    </svg>
  );
}

function makeShape(name: GlyphName): Shape {
  const Shape: Shape = ({ size }) => <Glyph name={name} size={size} />;
  Shape.displayName = `Glyph(${name})`;
  return Shape;
}

export const GLYPH_SHAPES: Record<GlyphName, Shape> = {
  valid: makeShape("valid"),
  catch_all: makeShape("catch_all"),
  unknown: makeShape("unknown"),
  risky: makeShape("risky"),
  invalid: makeShape("invalid"),
  disposable: makeShape("disposable"),
  spam_trap: makeShape("spam_trap"),
};
