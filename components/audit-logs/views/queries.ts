"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/audit-views/contract");

export const useSaveView = () => useEndpoint(async () => (await contract()).createAuditView, false);
export const useChangeView = () => useEndpoint(async () => (await contract()).updateAuditView, false);
export const useDeleteView = () => useEndpoint(async () => (await contract()).deleteAuditView, false);
