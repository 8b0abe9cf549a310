"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

export const useSetAnchors = () => useEndpoint(async () => (await import("@/lib/anchors/contract")).setAnchors);

export const usePlaceHold = () =>
  useEndpoint(async () => (await import("@/lib/audit-logs/hold/contract")).placeAuditHold);

export const useReleaseHold = () =>
  useEndpoint(async () => (await import("@/lib/audit-logs/hold/contract")).releaseAuditHold);
