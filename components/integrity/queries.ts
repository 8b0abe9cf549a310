"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

export const useSetAnchors = () => useEndpoint(async () => (await import("@/lib/anchors/contract")).setAnchors);
