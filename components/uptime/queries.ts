"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/uptime/contract");
const windows = () => import("@/lib/uptime/maintenance-windows/contract");

export const useCreateMonitor = () => useEndpoint(async () => (await contract()).createMonitor);
export const useUpdateMonitor = () => useEndpoint(async () => (await contract()).updateMonitor);
/** Does not reload the page, because the monitor that it shows no longer exists. */
export const useDeleteMonitor = () => useEndpoint(async () => (await contract()).deleteMonitor, false);
export const useCheckMonitor = () => useEndpoint(async () => (await contract()).checkMonitor);
export const useRotateHeartbeatUrl = () => useEndpoint(async () => (await contract()).rotateHeartbeatUrl);
export const useUpdateIncident = () =>
  useEndpoint(async () => (await import("@/lib/uptime/incidents/contract")).updateIncident);
export const useCreateMaintenanceWindow = () => useEndpoint(async () => (await windows()).createMaintenanceWindow);
export const useDeleteMaintenanceWindow = () => useEndpoint(async () => (await windows()).deleteMaintenanceWindow);
