/** Limits of a step's rows, and the target duration of a step in milliseconds, so that locks are held only briefly. */
const FEWEST = 100;
const STEP_ROWS = 20_000;
const STEP_MS = 500;

/** Processes up to `size` rows and commits. Returns whether there may be more. */
export type Step = (size: number) => Promise<boolean>;

/** Repeats steps until nothing is left to do. Returns false if `stop` ended it early. */
export async function inSteps(step: Step, stop: () => boolean): Promise<boolean> {
  for (let size = 1_000; ; ) {
    if (stop()) return false;
    const began = performance.now();
    if (!(await step(size))) return true;
    const ratio = STEP_MS / (performance.now() - began);
    size = Math.round(Math.min(STEP_ROWS, Math.max(FEWEST, size * Math.min(2, Math.max(0.25, ratio)))));
  }
}
