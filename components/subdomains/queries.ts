"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const domains = () => import("@/lib/subdomains/domain-contract");

export const useCreateDomain = () => useEndpoint(async () => (await domains()).createDomain, false);
export const useUpdateDomain = () => useEndpoint(async () => (await domains()).updateDomain);
/** Does not reload the page, because the domain that it shows no longer exists. */
export const useDeleteDomain = () => useEndpoint(async () => (await domains()).deleteDomain, false);
export const useVerifyDomain = () => useEndpoint(async () => (await domains()).verifyDomain);
export const useDiscoverDomain = () => useEndpoint(async () => (await domains()).discoverDomain);
export const useAuthorizeIssuance = () =>
  useEndpoint(async () => (await import("@/lib/subdomains/contract")).authorizeIssuance);
export const useReview = () => useEndpoint(async () => (await import("@/lib/subdomains/contract")).reviewSubdomains);
