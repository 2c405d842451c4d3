import { formatNumber } from "../../../lib/format";

/** An axis has at most this many steps. */
const MOST_STEPS = 4;

/** The least of 1, 2, 5, 10, 20, 50 and so on that is at least this. */
function roundUpToStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const digit = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return digit * power;
}

/** From nought in equal steps of 1, 2 or 5 times a power of ten to the first that has room for `most`; whole numbers. */
export function buildTicks(most: number): number[] {
  const step = roundUpToStep(Math.max(1, most / MOST_STEPS));
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

const UNITS = [
  [1_000_000, "M"],
  [10_000, "K"],
] as const;

/** One format for all ticks of an axis: whole, or in thousands or millions, with as many places as its step needs. */
export function buildTickFormat(ticks: readonly number[]): (value: number) => string {
  const last = ticks.at(-1) ?? 0;
  const [from, unit] = UNITS.find(([least]) => last >= least) ?? [1, ""];
  if (unit === "") return formatNumber;
  const size = from === 10_000 ? 1_000 : from;
  const places = ticks.every((tick) => tick % size === 0) ? 0 : 1;
  return (value) => (value === 0 ? "0" : `${(value / size).toFixed(places)}${unit}`);
}

/** Of an axis of counts: where its lines are, what stands at them, and how far it goes. */
export function buildCountAxis(most: number) {
  const ticks = buildTicks(most);
  return { ticks, domain: [0, ticks.at(-1) ?? 1], tickFormatter: buildTickFormat(ticks) };
}
