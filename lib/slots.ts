/** Slots for long-running work, limited in total and per holder, so that nobody can take all of them. */
export class Slots {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostEach: number,
  ) {}

  /** Returns a function that releases the slot (later calls do nothing), or null if `who` cannot have another. */
  take(who: string): (() => void) | null {
    const own = this.takenBy.get(who) ?? 0;
    if (this.taken >= this.most || own >= this.mostEach) return null;
    this.taken++;
    this.takenBy.set(who, own + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.taken--;
      const left = (this.takenBy.get(who) ?? 1) - 1;
      if (left > 0) this.takenBy.set(who, left);
      else this.takenBy.delete(who);
    };
  }
}
