import { logAway, logBack } from "@/lib/db/outage-log";
import { count } from "@/lib/metrics/metrics";
import type { MemoryStore } from "@/lib/rate-limits/memory-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Answer, Store } from "@/lib/rate-limits/store";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/**
 * Maximum turns of a timer for which a request waits for the shared store: half a second. Time during which this process
 * was blocked counts as one turn, because the query may not even have been sent.
 */
const MAX_TURNS = 10;
const TURN_MS = 50;
const PROBE_INTERVAL_MS = 1_000;
const STORE = "the rate-limit store";

/**
 * The store that processes share, replaced by this process's memory while it is unavailable or slow. The memory has the store's last
 * known counts, so that clients' remaining limits continue. For one window after the store is available again, a request requires room
 * in both, because the store has not counted requests admitted without it.
 */
export class FallbackStore implements Store {
  private isAway = false;
  private countsBothUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly shared: Store,
    private readonly own: MemoryStore,
  ) {}

  /** Whether the shared store is in use. */
  get available(): boolean {
    return !this.isAway;
  }

  async evalsha(sha: string, keys: string[], args: string[]): Promise<Answer> {
    if (this.isAway) count("sealwatch_rate_limit_fallbacks_total", {});
    const countsOwn = this.isAway || performance.now() < this.countsBothUntil;
    const ownAnswer = countsOwn ? await this.own.evalsha(sha, keys, args) : null;
    if (ownAnswer !== null && (this.isAway || ownAnswer[0] === 0)) return ownAnswer;
    let answer: Answer;
    try {
      answer = await withTimeout(this.shared.evalsha(sha, keys, args));
    } catch (error) {
      this.markAway(error);
      count("sealwatch_rate_limit_fallbacks_total", {});
      return ownAnswer ?? this.own.evalsha(sha, keys, args);
    }
    logBack(STORE);
    const [key = ""] = keys;
    const [limit = "", window = "", take] = args;
    if (ownAnswer !== null && answer[0] === 0 && take === "1") this.own.giveBack(key);
    const standing = ownAnswer === null ? answer : await this.own.evalsha(sha, keys, [limit, window, "0"]);
    this.own.learn(key, answer[1]);
    const largest = (at: 1 | 2 | 3) => Math.max(answer[at], standing[at]);
    return [answer[0], largest(1), largest(2), largest(3), answer[4]];
  }

  /** Queries the store once at startup, so that its state is known before the first request. Throws the store's error. */
  async tryOut(): Promise<void> {
    await this.shared.loaded;
    try {
      await this.probe();
    } catch (error) {
      this.markAway(error);
      throw error;
    }
  }

  /** A query that writes, because a replica would answer a read. */
  private async probe(): Promise<void> {
    await withTimeout(this.shared.evalsha(SCRIPT_SHA, ["sealwatch:probe"], ["1", "1", "1"]));
  }

  private markAway(error: unknown): void {
    const isKnown = this.isAway;
    this.isAway = true;
    // Only the message: the client's errors contain the failed command, which includes the password if it was AUTH.
    const reason = error instanceof Error ? error.message || error.name : String(error);
    logAway(STORE, { reason, meanwhile: "this process counts in its own memory" });
    if (isKnown) return;
    setTimeout(() => void this.tryToReturn(), PROBE_INTERVAL_MS).unref();
  }

  private async tryToReturn(): Promise<void> {
    try {
      await this.probe();
    } catch (error) {
      this.markAway(error);
      setTimeout(() => void this.tryToReturn(), PROBE_INTERVAL_MS).unref();
      return;
    }
    this.isAway = false;
    this.countsBothUntil = performance.now() + WINDOW_MS;
    logBack(STORE);
  }
}

/** Resolves like `work`, or rejects when the time is up. */
function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns < MAX_TURNS) return;
      // A response that has arrived but has not been read yet is not late: it is read before the rejection.
      setImmediate(() => reject(new Error(`no response within ${MAX_TURNS * TURN_MS} ms`)));
      clearInterval(timer);
    }, TURN_MS);
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
