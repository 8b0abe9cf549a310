"use client";

import { useState } from "react";
import { type ImportFormat, splitImport } from "@/components/certificates/import/split-import";
import { useMutation } from "@/components/requests/use-mutation";
import type * as contract from "@/lib/certificates/endpoints/bulk-contract";

type Defaults = NonNullable<(typeof contract.importEndpoints)["types"]["sent"]["defaults"]>;

interface ImportRequest {
  format: ImportFormat;
  text: string;
  defaults: Defaults;
  dryRun: boolean;
}

/**
 * Imports piece by piece and reports the progress; a preview has the same pieces, because the API judges a request as a whole. After a
 * failure, `results` has what was imported before it.
 */
export function useImport() {
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  const [results, setResults] = useState<contract.EndpointImportResult[]>([]);
  const mutation = useMutation({
    mutationFn: async ({ format, text, defaults, dryRun }: ImportRequest) => {
      const [{ call }, { importEndpoints }] = await Promise.all([
        import("@/lib/http/client"),
        import("@/lib/certificates/endpoints/bulk-contract"),
      ]);
      const pieces = splitImport(text, format);
      const of = pieces.reduce((sum, { count }) => sum + count, 0);
      setProgress({ done: 0, of });
      setResults([]);
      const all: contract.EndpointImportResult[] = [];
      // Without any piece, the API's error says what is wrong with the text.
      for (const { text: own, offset, count } of pieces.length > 0 ? pieces : [{ text, offset: 0, count: 0 }]) {
        const { data } = await call(importEndpoints, { format, text: own, defaults, dry_run: dryRun });
        all.push(...data.results.map((result) => ({ ...result, line: result.line + offset })));
        setResults([...all]);
        setProgress(({ done }) => ({ done: done + count, of }));
      }
      return all;
    },
  });
  return { ...mutation, progress, results };
}
