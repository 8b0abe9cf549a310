/** Slots for long-running work, limited in total and per holder, so that nobody can take all of them. */
export class Slots {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly most: number) {}

  /**
   * Takes a slot for work that has one or several holders, with the most slots of each. Returns a function that releases it (later calls
   * do nothing), or null if one of them cannot have another.
   */
  take(holders: Readonly<Record<string, number>>): (() => void) | null {
    if (this.taken >= this.most || !this.allows(holders)) return null;
    this.add(holders, 1);
    let held = true;
    return () => {
      if (held) this.add(holders, -1);
      held = false;
    };
  }

  /** Whether each holder may have another slot, so that only the total can refuse it. */
  allows(holders: Readonly<Record<string, number>>): boolean {
    return Object.entries(holders).every(([who, most]) => (this.takenBy.get(who) ?? 0) < most);
  }

  private add(holders: Readonly<Record<string, number>>, change: 1 | -1): void {
    this.taken += change;
    for (const who of Object.keys(holders)) {
      const now = (this.takenBy.get(who) ?? 0) + change;
      if (now > 0) this.takenBy.set(who, now);
      else this.takenBy.delete(who);
    }
  }
}
