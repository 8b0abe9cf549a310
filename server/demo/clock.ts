let setTo: ((time: number) => void) | null = null;

/** Sets the clock of this process, which then runs on. Throws outside of `withClock`. */
export function setClock(time: number): void {
  if (setTo === null) throw new Error("the clock is the real one");
  setTo(time);
}

/**
 * Runs `work` while `setClock` sets the time of this process, so that verbs record the past as if it were now: times, ids and
 * alerts fit together. Timeouts and the clock of the database stay real.
 */
export async function withClock<Result>(work: () => Promise<Result>): Promise<Result> {
  const real = globalThis.Date;
  let base = real.now();
  let since = performance.now();
  const now = () => Math.floor(base + performance.now() - since);
  globalThis.Date = new Proxy(real, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  setTo = (time) => {
    base = time;
    since = performance.now();
  };
  try {
    return await work();
  } finally {
    globalThis.Date = real;
    setTo = null;
  }
}
