"use client";

import { useState } from "react";
import { usePreviewWhitelist } from "@/components/api-keys/queries";
import { failureOf } from "@/components/states/failure";
import type { ApiKey } from "@/lib/api-keys/contract";
import type { WhitelistPreview } from "@/lib/api-keys/usage-contract";

const FIELDS = ["ip_whitelist"];

/**
 * Previews which addresses the entries would block, before they are saved. The preview is valid for exactly these entries: a
 * change makes it due again. New keys and empty whitelists block nothing, so they need no preview.
 */
export function useWhitelistCheck(apiKey: ApiKey | undefined, entries: string[]) {
  const preview = usePreviewWhitelist();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const wanted = entries.join("\n");
  const isChanged = apiKey !== undefined && entries.length > 0 && wanted !== apiKey.ip_whitelist.join("\n");
  const isAnswered = askedFor === wanted && !preview.isPending;
  const shown = isChanged && isAnswered ? (preview.data ?? null) : null;
  return {
    /** Whether a preview is needed and missing. */
    isDue: isChanged && !isAnswered,
    canAsk: isChanged && shown === null,
    isPending: preview.isPending,
    preview: shown,
    failure: failureOf(isChanged && isAnswered ? preview.error : null, FIELDS),
    ask: (onAnswer?: (preview: WhitelistPreview) => void) => {
      if (apiKey === undefined) return;
      setAskedFor(wanted);
      preview.mutate({ id: apiKey.id, ip_whitelist: entries }, { onSuccess: (answer) => onAnswer?.(answer) });
    },
  };
}
