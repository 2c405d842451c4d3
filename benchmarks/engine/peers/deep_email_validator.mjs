// deep-email-validator as one subject of the run: `node deep_email_validator.mjs JOB`, a file of JSON.
// Calls run side by side as its documentation shows a single one. A call that does not end is left after `patience_s`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const installed = createRequire(`${process.env.PEER_HOME}/package.json`).resolve("deep-email-validator");
const { validate } = await import(pathToFileURL(installed).href);

const memory = (kind) => {
  const line = readFileSync("/proc/self/status", "utf-8").match(new RegExp(`${kind}:\\s+(\\d+)`));
  return Number(line[1]) / 1024;
};

const check = async (email) => {
  let timer;
  const patience = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ valid: null, reason: "no answer" }), job.patience_s * 1000);
  });
  const call = validate({ email, sender: job.sender, validateTypo: false }).catch((error) => ({
    valid: null,
    reason: String(error),
  }));
  const found = await Promise.race([call, patience]);
  clearTimeout(timer);
  return [found.valid, found.reason ?? "", found.validators?.[found.reason]?.reason ?? ""];
};

const start = memory("VmRSS");
const answers = new Array(job.addresses.length);
const cpu = process.cpuUsage();
const began = performance.now();
let next = 0;
let slowest = 0;
const worker = async () => {
  while (next < job.addresses.length) {
    const index = next++;
    answers[index] = await check(job.addresses[index]);
    slowest = performance.now() - began;
  }
};
await Promise.all(Array.from({ length: job.parallel }, worker));
const used = process.cpuUsage(cpu);
const result = {
  seconds: (performance.now() - began) / 1000,
  cpu_s: (used.user + used.system) / 1e6,
  start_mb: start,
  peak_mb: memory("VmHWM"),
  slowest_s: slowest / 1000,
  answers,
};
writeFileSync(job.result, JSON.stringify(result));
process.exit(0);
