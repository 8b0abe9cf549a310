"use client";

import { useState } from "react";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { useQuery } from "@/components/requests/use-query";
import { formatAgo } from "@/components/time/time-format";
import type { IdentifiedSecret } from "@/lib/api-keys/identify-contract";

interface SecretOwner {
  /** Takes a whole secret; only its hash leaves this function. */
  identify: (secret: string) => Promise<void>;
  owner: IdentifiedSecret | undefined;
  isError: boolean;
}

/** The SHA-256 in hexadecimal. Not by Web Crypto, which browsers offer over HTTPS only. */
async function hashOf(secret: string): Promise<string> {
  const { sha256 } = await import("@noble/hashes/sha2.js");
  return Array.from(sha256(new TextEncoder().encode(secret)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fetchOwner(hash: string, signal?: AbortSignal): Promise<IdentifiedSecret> {
  return callEndpoint(
    async () => (await import("@/lib/api-keys/identify-contract")).identifyApiKey,
    { secret_sha256: hash },
    signal,
  );
}

/** The key that a secret belongs to, found without sending the secret. Throws RequestFailed. */
export async function ownerOf(secret: string): Promise<IdentifiedSecret> {
  return fetchOwner(await hashOf(secret));
}

/** Finds out which key a secret belongs to without sending it: the server compares its hash. */
export function useSecretOwner(): SecretOwner {
  const [hash, setHash] = useState<string | null>(null);
  const { data, isError } = useQuery({
    queryKey: ["secret-owner", hash],
    enabled: hash !== null,
    retry: false,
    queryFn: ({ signal }) => fetchOwner(hash ?? "", signal),
  });
  return { identify: async (secret) => setHash(await hashOf(secret)), owner: data, isError };
}

/** `Current secret of ci-deploy`, `Secret of ci-deploy, rotated out 8 days ago`. */
export function ownerWords({ match }: IdentifiedSecret, now: number): string {
  if (match === null) return "Not a secret of this organization";
  const { api_key, retired_at } = match;
  if (retired_at !== null) return `Secret of ${api_key.name}, rotated out ${formatAgo(Date.parse(retired_at), now)}`;
  const state = api_key.status === "active" ? "" : `, ${api_key.status}`;
  return `Current secret of ${api_key.name}${state}`;
}
