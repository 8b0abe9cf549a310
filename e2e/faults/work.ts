import type { Environment } from "@/e2e/faults/environment";

/** The effect of a fault on a job: its work continues, or is done without intervention after the fault. */
export type Meaning = "goes on" | "catches up";

/** Work for a job. */
export interface Work {
  /** Actions of the outside world after the fault has begun. Never rejects. */
  begun?: () => Promise<void>;
  /** Whether the work is done, as seen from outside. May reject during a fault. */
  isDone: () => Promise<boolean>;
  /** Throws unless the work was done exactly once. Called after the fault. */
  verify: (meaning: Meaning) => Promise<void>;
}

/** Gives a job work that is due immediately. The worker is suspended during this, and there is no fault yet. */
export type Give = (environment: Environment) => Promise<Work>;
