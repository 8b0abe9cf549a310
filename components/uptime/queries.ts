"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/uptime/contract");

export const useCreateMonitor = () => useEndpoint(async () => (await contract()).createMonitor);
export const useUpdateMonitor = () => useEndpoint(async () => (await contract()).updateMonitor);
/** Does not reload the page, because the monitor that it shows no longer exists. */
export const useDeleteMonitor = () => useEndpoint(async () => (await contract()).deleteMonitor, false);
export const useCheckMonitor = () => useEndpoint(async () => (await contract()).checkMonitor);
export const useUpdateIncident = () => useEndpoint(async () => (await contract()).updateIncident);
export const useCreateMaintenanceWindow = () => useEndpoint(async () => (await contract()).createMaintenanceWindow);
export const useDeleteMaintenanceWindow = () => useEndpoint(async () => (await contract()).deleteMaintenanceWindow);
