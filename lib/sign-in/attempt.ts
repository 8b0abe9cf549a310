import { AsyncLocalStorage } from "node:async_hooks";
import { processSingleton } from "@/lib/process-singleton";

/** One request to next-auth, which reports errors only to a logger that all requests share. */
export interface Attempt {
  /** The browser's current session, which the new session replaces. */
  replaces: string | null;
  error?: unknown;
  /** The request was already answered: no session may be opened any more. */
  isOver?: boolean;
}

/** The attempt that the current code handles. */
export const attempts = processSingleton("auth.attempts", () => new AsyncLocalStorage<Attempt>());
