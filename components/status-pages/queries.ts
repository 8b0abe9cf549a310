"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/status-pages/contract");

/** Does not reload the page, because the caller opens that of the new status page. */
export const useCreateStatusPage = () => useEndpoint(async () => (await contract()).createStatusPage, false);
export const useUpdateStatusPage = () => useEndpoint(async () => (await contract()).updateStatusPage);
/** Does not reload the page, because the status page that it shows no longer exists. */
export const useDeleteStatusPage = () => useEndpoint(async () => (await contract()).deleteStatusPage, false);
