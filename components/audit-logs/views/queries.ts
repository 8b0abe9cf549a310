"use client";

import { callEndpoint, useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/audit-views/contract");

export const useSaveView = () => useEndpoint(async () => (await contract()).createAuditView, false);
const change = async () => (await contract()).updateAuditView;

export const changeWeeklyEmail = (sent: { id: string; weekly_email: boolean }) => callEndpoint(change, sent);
export const useChangeView = () => useEndpoint(change, false);
export const useDeleteView = () => useEndpoint(async () => (await contract()).deleteAuditView, false);
