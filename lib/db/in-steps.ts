/** Limits of a step's rows, and the target duration of a step in milliseconds, so that locks are held only briefly. */
const MIN_STEP_ROWS = 100;
const MAX_STEP_ROWS = 20_000;
const TARGET_STEP_MS = 500;

/** Processes up to `size` rows and commits. Returns whether there may be more. */
export type Step = (size: number) => Promise<boolean>;

/** Repeats steps until nothing is left to do. Returns false if `stop` ended it early. */
export async function inSteps(step: Step, stop: () => boolean): Promise<boolean> {
  for (let size = 1_000; ; ) {
    if (stop()) return false;
    const began = performance.now();
    if (!(await step(size))) return true;
    const ratio = TARGET_STEP_MS / (performance.now() - began);
    size = Math.round(Math.min(MAX_STEP_ROWS, Math.max(MIN_STEP_ROWS, size * Math.min(2, Math.max(0.25, ratio)))));
  }
}
