"use client";

import { useRouter } from "next/navigation";
import { countChange } from "@/components/requests/changes";
import { useMutation } from "@/components/requests/use-mutation";
import type { Endpoint, Item } from "@/lib/http/endpoint";

/** Endpoints with a single item in the response. */
type ItemEndpoint = Endpoint & { list: false };

/** Calls an endpoint and returns the item. `load` imports the contract at the first call, because it includes the validation library. */
export async function callEndpoint<E extends ItemEndpoint>(
  load: () => Promise<E>,
  sent: E["types"]["sent"],
  signal?: AbortSignal,
): Promise<Item<E>> {
  const [{ call }, endpoint] = await Promise.all([import("@/lib/http/client"), load()]);
  const answer = (await call(endpoint, sent, signal)) as { data: Item<E> };
  return answer.data;
}

/** A mutation that calls an endpoint, and then reloads the page to show the new state unless `refresh` is false. */
export function useEndpoint<E extends ItemEndpoint>(load: () => Promise<E>, refresh = true) {
  const router = useRouter();
  return useMutation({
    mutationFn: (sent: E["types"]["sent"]) => callEndpoint(load, sent),
    onSuccess: () => {
      countChange();
      if (refresh) router.refresh();
    },
  });
}
