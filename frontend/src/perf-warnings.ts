// Console warnings about slowness, loaded only when localStorage holds perf_warnings = "1". They log and do nothing else.
const CHECK_MS = 30_000;
const MEMORY_SHARE = 0.8;
const RESOURCE_MS = 1_000;
const RESOURCE_BYTES = 1_048_576;
const LARGEST_PAINT_MS = 2_500;
const INPUT_DELAY_MS = 100;
const LAYOUT_SHIFT = 0.1;

interface Memory {
  usedJSHeapSize: number;
  jsHeapSizeLimit: number;
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

interface Findings {
  resources: PerformanceResourceTiming[];
  largestPaint: number;
  inputDelay: number;
  layoutShift: number;
}

const findings: Findings = { resources: [], largestPaint: 0, inputDelay: 0, layoutShift: 0 };

function watchEntries(type: string, see: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
  new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
}

watchEntries("resource", (entry) => findings.resources.push(entry as PerformanceResourceTiming));
watchEntries("largest-contentful-paint", (entry) => {
  findings.largestPaint = entry.startTime;
});
watchEntries("first-input", (entry) => {
  const delay = (entry as PerformanceEventTiming).processingStart - entry.startTime;
  findings.inputDelay = Math.max(findings.inputDelay, delay);
});
watchEntries("layout-shift", (entry) => {
  const shift = entry as LayoutShift;
  if (!shift.hadRecentInput) findings.layoutShift += shift.value;
});

function checkMemory(): void {
  const { memory } = performance as Performance & { memory?: Memory };
  if (!memory) return;
  const share = memory.usedJSHeapSize / memory.jsHeapSizeLimit;
  if (share > MEMORY_SHARE) console.warn(`Memory: ${(share * 100).toFixed(0)} % of the limit in use`);
}

function checkResources(): void {
  for (const { name, duration, transferSize } of findings.resources.splice(0)) {
    if (duration > RESOURCE_MS) console.warn(`Slow resource: ${name} took ${duration.toFixed(0)} ms`);
    if (transferSize > RESOURCE_BYTES) console.warn(`Large resource: ${name} has ${transferSize} bytes`);
  }
}

function checkVitals(): void {
  const { largestPaint, inputDelay, layoutShift } = findings;
  if (largestPaint > LARGEST_PAINT_MS) console.warn(`Largest paint: ${largestPaint.toFixed(0)} ms`);
  if (inputDelay > INPUT_DELAY_MS) console.warn(`Input delay: ${inputDelay.toFixed(0)} ms`);
  if (layoutShift > LAYOUT_SHIFT) console.warn(`Layout shift: ${layoutShift.toFixed(2)}`);
}

export function checkPerformance(): void {
  checkMemory();
  checkResources();
  checkVitals();
}

setInterval(checkPerformance, CHECK_MS);
