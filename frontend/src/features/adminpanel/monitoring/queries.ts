import type { UseQueryResult } from "@tanstack/react-query";

import type { Alerts, Health, Incident, MailRoutes, MonitoringMetrics } from "../../../api/types";
import { reloadAdmin, useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { useRefreshSeconds } from "../refresh-interval";

const MONITORING = "monitoring";

function useLive<T>(name: string, load: () => Promise<T>): UseQueryResult<T> {
  const [seconds] = useRefreshSeconds();
  return useAdminQuery([MONITORING, name], load, () => Number(seconds) * 1_000);
}

export function useHealth(): UseQueryResult<Health> {
  return useLive("health", () => readData(api.GET("/api/monitoring/health")));
}

export function useAlerts(): UseQueryResult<Alerts> {
  return useLive("alerts", () => readData(api.GET("/api/monitoring/alerts")));
}

export function useMetrics(): UseQueryResult<MonitoringMetrics> {
  return useLive("metrics", () => readData(api.GET("/api/monitoring/metrics")));
}

export function useRoutes(): UseQueryResult<MailRoutes> {
  return useLive("routes", () => readData(api.GET("/api/monitoring/routes")));
}

export function useIncidents(): UseQueryResult<Incident[]> {
  return useAdminQuery([MONITORING, "incidents"], async () => {
    return (await readData(api.GET("/api/admin/incidents"))).incidents;
  });
}

/** Loads everything of this tab again. */
export function refreshMonitoring(): Promise<void> {
  return reloadAdmin(MONITORING);
}

export function refreshIncidents(): Promise<void> {
  return reloadAdmin(MONITORING, "incidents");
}

export function refreshRoutes(): Promise<void> {
  return reloadAdmin(MONITORING, "routes");
}
