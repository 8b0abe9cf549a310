import type { Environment } from "@/e2e/faults/environment";

/** What a fault means for a job: its work goes on meanwhile, or is done by itself once the fault is over. */
export type Meaning = "goes on" | "catches up";

/** Some work that a job was given. */
export interface Work {
  /** What the world does as soon as the fault has begun. Never rejects. */
  begun?: () => Promise<void>;
  /** Whether it is done, as far as can be seen from outside. May reject meanwhile. */
  isDone: () => Promise<boolean>;
  /** Throws unless it was done, and exactly once. Called when nothing is broken any more. */
  verify: (meaning: Meaning) => Promise<void>;
}

/** Gives a job work that is due at once. The worker sleeps meanwhile, and nothing is broken yet. */
export type Give = (environment: Environment) => Promise<Work>;
