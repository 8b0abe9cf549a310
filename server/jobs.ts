/** Something the background process does again and again. */
export type Job = {
  /** `noun.what-it-does`, as it stands in the log. */
  name: string;
  /** Milliseconds from the end of one run to the beginning of the next. */
  everyMs: number;
  /** One run; several workers may be in it at once, so it leases what it works on. Should end soon after `signal` aborts. */
  run: (signal: AbortSignal) => Promise<void>;
};

/** Everything that happens in the background. */
export const jobs: readonly Job[] = [];
