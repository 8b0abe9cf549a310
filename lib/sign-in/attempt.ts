import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/process-singleton";

/** One request to next-auth, which tells what went wrong only to its logger, and all requests share that. */
export interface Attempt {
  /** The browser's session so far, which a new one replaces. */
  replaces: string | null;
  error?: unknown;
  /** It was answered already: what still comes of it opens no session. */
  isOver?: boolean;
}

/** The attempt that the current code runs for. */
export const attempts = processSingleton("auth.attempts", () => new AsyncLocalStorage<Attempt>());
