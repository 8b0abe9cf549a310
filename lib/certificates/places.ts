/** Thrown for an address that is being looked at by so many that another should come back later. */
export class Crowded extends Error {
  override readonly name = "Crowded";
}

interface Place {
  /** Looks under way. */
  taken: number;
  /** Those that go next, in their order. */
  waiting: (() => void)[];
}

/**
 * Holds a process to so many looks at one address at once. A few more wait, which is short where answers are quick; beyond them, or
 * when that takes long, it is `Crowded`, so that an address that answers slowly does not hold all that a process can do at once.
 */
export class Places {
  private readonly places = new Map<string, Place>();

  constructor(
    private readonly most: number,
    private readonly mostWaiting: number,
    private readonly patienceMs: number,
  ) {}

  /** Leave to connect to all of the addresses; the answer gives the places back. Rejects with Crowded, or as `signal` aborts. */
  async enter(addresses: readonly string[], signal?: AbortSignal): Promise<() => void> {
    const entered: string[] = [];
    const leave = () => {
      for (const address of entered.splice(0)) this.leave(address);
    };
    try {
      // In one order everywhere, so that no two wait for each other.
      for (const address of [...addresses].sort()) {
        await this.take(address, signal);
        entered.push(address);
      }
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  private async take(address: string, signal: AbortSignal | undefined): Promise<void> {
    const place = this.places.get(address) ?? { taken: 0, waiting: [] };
    this.places.set(address, place);
    if (place.taken < this.most) {
      place.taken++;
      return;
    }
    if (place.waiting.length >= this.mostWaiting) throw new Crowded(`${address} is being looked at`);
    await new Promise<void>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      };
      const go = () => {
        settle();
        resolve();
      };
      const giveUp = (reason: unknown) => {
        settle();
        place.waiting.splice(place.waiting.indexOf(go), 1);
        reject(reason);
      };
      const stop = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(new Crowded(`${address} answers slowly`)), this.patienceMs);
      place.waiting.push(go);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** The place goes to who waits longest. */
  private leave(address: string): void {
    const place = this.places.get(address);
    if (place === undefined) return;
    const next = place.waiting.shift();
    if (next === undefined) place.taken--;
    else next();
    if (place.taken === 0) this.places.delete(address);
  }
}
