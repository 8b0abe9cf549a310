import type { Answer, Store } from "@/lib/rate-limits/store";
import { slide, WINDOW_MS } from "@/lib/rate-limits/window";

/** The windows of one process. `clock` returns milliseconds and must be monotonic, unlike the wall clock. */
export class MemoryStore implements Store {
  private readonly windows = new Map<string, number[]>();
  private swept = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  async evalsha(_sha: string, [key = ""]: string[], [limit, window, take]: string[]): Promise<Answer> {
    const now = this.clock();
    const times = this.timesOf(key, now);
    const { admitted, used, freeInMs, fullInMs } = slide(times, now, Number(limit), take === "1", Number(window));
    if (used === 0) this.windows.delete(key);
    return [admitted ? 1 : 0, used, freeInMs, fullInMs, Date.now()];
  }

  /** Takes back the latest request of a window. */
  giveBack(key: string): void {
    this.windows.get(key)?.pop();
  }

  /** Raises a window to the count of a shared store; requests of other processes count from now. */
  learn(key: string, used: number): void {
    if (used === 0) return;
    const now = this.clock();
    const times = this.timesOf(key, now);
    slide(times, now, 0, false);
    while (times.length < used) times.push(now);
  }

  private timesOf(key: string, now: number): number[] {
    this.sweep(now);
    let times = this.windows.get(key);
    if (times === undefined) {
      times = [];
      this.windows.set(key, times);
    }
    return times;
  }

  /** Deletes empty windows once per window length, so that memory is limited to active keys. */
  private sweep(now: number): void {
    if (now - this.swept < WINDOW_MS) return;
    this.swept = now;
    for (const [key, times] of this.windows) {
      if ((times.at(-1) ?? 0) <= now - WINDOW_MS) this.windows.delete(key);
    }
  }
}
