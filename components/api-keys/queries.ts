"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/api-keys/contract");

/** Does not reload the page: that could remove the button whose dialog still shows the secret. */
export const useCreateApiKey = () => useEndpoint(async () => (await contract()).createApiKey, false);
export const useUpdateApiKey = () => useEndpoint(async () => (await contract()).updateApiKey);
export const useRotateApiKey = () => useEndpoint(async () => (await contract()).rotateApiKey);
export const useRevokeApiKey = () => useEndpoint(async () => (await contract()).revokeApiKey);
/** Sent by POST, because a whitelist may be too long for a URL; it changes nothing. */
export const usePreviewWhitelist = () =>
  useEndpoint(async () => (await import("@/lib/api-keys/usage-contract")).previewWhitelist, false);
