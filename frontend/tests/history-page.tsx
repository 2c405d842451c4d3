// The History page as its tests open it: two lists and a single validation.
import History from "../src/islands/history";
import { batch, historyPage, overview, result, resultRow } from "./data";
import { show } from "./render";
import { json, serve, type Handler } from "./server";

export const file = batch();
const pasted = batch({ batch_id: "b2", batch_type: "bulk_textarea", filename: null });
export const full = historyPage({ batches: [file, pasted], individual_validations: [resultRow()] });
const rows: Handler = () =>
  json({ results: [resultRow()], total: 1, total_is_least: false, next_cursor: null, next: null });

export function openHistory(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/analytics/dashboard": () => json(overview()),
    "GET /api/validate/batches": () => json(full),
    "GET /api/validate/batch/b1/results": rows,
    "GET /api/validate/batch/b2/results": rows,
    "GET /api/validate/result/1": () => json(result()),
    ...handlers,
  });
  return { calls, user: show(<History />) };
}
