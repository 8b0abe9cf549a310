"use client";

import { useRouter } from "next/navigation";
import { whenSessionReturns } from "@/components/requests/session-end";
import { useMutation } from "@/components/requests/use-mutation";
import { isSessionOver } from "@/components/states/failure";
import { showFailure } from "@/components/states/show-failure";
import { inChunks, outcomeWords } from "@/components/table/bulk-outcomes";
import { useSelection } from "@/components/table/selection";
import { showToast } from "@/components/ui/toast";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

/** An action on several resources. */
export interface BulkAct {
  send: (ids: string[]) => Promise<BulkOutcome[]>;
  /** What the toast says that happened to them: "paused". */
  done: string;
  /** What the toast says about those that stayed as they were: "paused already". If omitted, they are not mentioned. */
  rest?: string;
  /** Undoes it for those that it changed; omitted if nothing can. */
  undo?: Omit<BulkAct, "undo">;
}

/**
 * A mutation for the selected rows. Shows the result in a toast, and keeps the rows selected for which it failed. After the end of the
 * session, these are those that it had not reached, and they are read again when the session is back.
 */
export function useBulk(noun: string) {
  const router = useRouter();
  const { selected, select } = useSelection();
  /** `onCut` gets the ids that are left when the session ends. */
  const run = async (act: BulkAct, ids: string[], onCut?: (left: string[]) => void) => {
    const results: BulkOutcome[] = [];
    try {
      return await inChunks(ids, act.send, results);
    } catch (error) {
      if (isSessionOver(error)) {
        const done = new Set(results.flatMap(({ id, status }) => (status === "failed" ? [] : [id])));
        if (results.length > 0) showToast(outcomeWords(results, noun, act));
        onCut?.(ids.filter((id) => !done.has(id)));
        // Until then the page stays as it is. An answer can be lost after the change, so also if nothing is known to be done.
        whenSessionReturns(router.refresh);
      }
      throw error;
    }
  };
  const refused = (error: Error) => {
    // A dialog says so.
    if (isSessionOver(error)) return;
    showFailure(error);
    // What is shown may be out of date: an answer can be lost after the change.
    router.refresh();
  };
  const undo = useMutation({
    mutationFn: ({ act, ids }: { act: BulkAct; ids: string[] }) => run(act, ids),
    onSuccess: (results, { act }) => {
      showToast(outcomeWords(results, noun, act));
      router.refresh();
    },
    onError: refused,
  });
  return useMutation({
    mutationFn: (act: BulkAct) => run(act, [...selected], select),
    onSuccess: (results, act) => {
      const { undo: back } = act;
      const changed = results.flatMap(({ id, status }) => (status === "updated" ? [id] : []));
      const again = back &&
        changed.length > 0 && { label: "Undo", run: () => undo.mutate({ act: back, ids: changed }) };
      showToast(outcomeWords(results, noun, act), again || undefined);
      select(results.flatMap(({ id, status }) => (status === "failed" ? [id] : [])));
      router.refresh();
    },
    onError: refused,
  });
}
