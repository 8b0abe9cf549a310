/** Rows of a step: as many as take about this long, so that it holds its locks but briefly. */
const FEWEST = 100;
const STEP_ROWS = 20_000;
const STEP_MS = 500;

/** Does up to `size` of the work and commits it. Returns whether there may be more. */
export type Step = (size: number) => Promise<boolean>;

/** Takes steps until there is nothing left to do. Returns false if `stop` ended it before. */
export async function inSteps(step: Step, stop: () => boolean): Promise<boolean> {
  for (let size = 1_000; ; ) {
    if (stop()) return false;
    const began = performance.now();
    if (!(await step(size))) return true;
    const ratio = STEP_MS / (performance.now() - began);
    size = Math.round(Math.min(STEP_ROWS, Math.max(FEWEST, size * Math.min(2, Math.max(0.25, ratio)))));
  }
}
