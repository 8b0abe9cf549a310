import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { moveNext } from "@/lib/audit-logs/retain/hold-step";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** A UTC day of an organization in a retention class. */
interface HeldDay {
  organizationId: string;
  /** The class, in days. */
  from: number;
  /** Start, Unix milliseconds. */
  day: number;
}

/** Moves the events of a day that active holds cover to the class of held events, in steps. */
export async function keepDay({ organizationId, from, day }: HeldDay, stop: () => boolean): Promise<void> {
  const high = idAt(day + DAY_MS);
  for (let low = idAt(day); !stop(); ) {
    const moved = await moveNext({ organizationId, from, low, high, isHeld: true }, async (ids) => ({
      class: HELD_CLASS,
      ids,
    }));
    const last = moved.at(-1);
    if (last === undefined) return;
    low = last;
  }
}
