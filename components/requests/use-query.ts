"use client";

import {
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery as useQueryOfClient,
} from "@tanstack/react-query";
import { noticeSessionEnd } from "@/components/requests/session-end";

function newClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noticeSessionEnd }),
    defaultOptions: {
      // Every automatic request would add an entry to the audit log, so nothing is fetched without a reason.
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: "always" },
    },
  });
}

let ofBrowser: QueryClient | undefined;

/** One per page in the browser; the server gets its own each time, so that people share nothing. */
function client(): QueryClient {
  if (typeof window === "undefined") return newClient();
  ofBrowser ??= newClient();
  return ofBrowser;
}

/** React Query's `useQuery` without a provider, so that only the parts that read later load it, such as the entry drawer. */
export function useQuery<Data>(options: UseQueryOptions<Data>): UseQueryResult<Data> {
  return useQueryOfClient(options, client());
}
