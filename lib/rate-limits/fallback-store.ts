import { logAway, logBack } from "@/lib/db/outage-log";
import type { MemoryStore } from "@/lib/rate-limits/memory-store";
import { SCRIPT_SHA } from "@/lib/rate-limits/script";
import type { Answer, Store } from "@/lib/rate-limits/store";
import { WINDOW_MS } from "@/lib/rate-limits/window";

/**
 * A request waits no longer than so many turns of a timer for the shared store: half a second. Time for which this process
 * itself stood still is one turn, however long, because the question may not even have left it.
 */
const MAX_TURNS = 10;
const TURN_MS = 50;
const PROBE_MS = 1_000;
const STORE = "the rate limits' store";

/**
 * The store that processes share, with this process's memory in its place while it is away or slow. The memory has learned
 * what the store answered last, so a client sees its allowance go on. For one window's length after the store is back, a
 * request needs room in both: the store does not know what was admitted without it.
 */
export class FallbackStore implements Store {
  private away = false;
  private apartUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly shared: Store,
    private readonly own: MemoryStore,
  ) {}

  /** Whether the shared store counts. */
  get available(): boolean {
    return !this.away;
  }

  async evalsha(sha: string, keys: string[], args: string[]): Promise<Answer> {
    const apart = this.away || performance.now() < this.apartUntil;
    const mine = apart ? await this.own.evalsha(sha, keys, args) : null;
    if (mine !== null && (this.away || mine[0] === 0)) return mine;
    let answer: Answer;
    try {
      answer = await inTime(this.shared.evalsha(sha, keys, args));
    } catch (error) {
      this.leave(error);
      return mine ?? this.own.evalsha(sha, keys, args);
    }
    logBack(STORE);
    const [key = ""] = keys;
    this.own.learn(key, answer[1]);
    if (mine === null) return answer;
    const [limit = "", window = ""] = args;
    const [, ...standing] = await this.own.evalsha(sha, keys, [limit, window, "0"]);
    return [answer[0], ...standing];
  }

  /** Asks the store once, so that the process knows how it stands before anybody calls. Throws what it answered with. */
  async tryOut(): Promise<void> {
    try {
      await this.probe();
    } catch (error) {
      this.leave(error);
      throw error;
    }
  }

  /** A question that writes: a replica would answer a look. */
  private async probe(): Promise<void> {
    await inTime(this.shared.evalsha(SCRIPT_SHA, ["sealwatch:probe"], ["1", "1", "1"]));
  }

  private leave(error: unknown): void {
    const isKnown = this.away;
    this.away = true;
    // Only in words: the client's errors carry the command that failed, with the password where that was AUTH.
    const reason = error instanceof Error ? error.message || error.name : String(error);
    logAway(STORE, { reason, meanwhile: "this process counts in its own memory" });
    if (isKnown) return;
    setTimeout(() => void this.comeBack(), PROBE_MS).unref();
  }

  private async comeBack(): Promise<void> {
    try {
      await this.probe();
    } catch (error) {
      this.leave(error);
      setTimeout(() => void this.comeBack(), PROBE_MS).unref();
      return;
    }
    this.away = false;
    this.apartUntil = performance.now() + WINDOW_MS;
    logBack(STORE);
  }
}

/** `work`, or an error when patience is at its end. */
function inTime<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns < MAX_TURNS) return;
      // An answer that is there, only not read yet, is not late: it is read before the rejection.
      setImmediate(() => reject(new Error(`no answer within ${MAX_TURNS * TURN_MS} ms`)));
      clearInterval(timer);
    }, TURN_MS);
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
