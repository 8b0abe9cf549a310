/** Places for work that goes on for long: so many in all, and so many for each, so that nobody takes all of them. */
export class Slots {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostEach: number,
  ) {}

  /** A function that gives the place back, at its first call; null where there is none for `who`. */
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
