import type { Omission } from "@/lib/audit-logs/bundle/read-entries";
import type { OmittedRange } from "@/lib/destinations/batches/batch";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { CompactRange, type Hash } from "@/lib/sealed-log/tree";

interface Open {
  reason: Omission;
  first: number;
  end: number;
  /** Null if its hashes cannot be made any more. */
  range: CompactRange | null;
}

/** Collects consecutive entries that are not sent; neighbours with one reason become one range. */
export class OmittedRanges {
  readonly #ranges: Open[] = [];

  get last(): Open | undefined {
    return this.#ranges.at(-1);
  }

  /** Adds one entry behind all others. */
  add(reason: Omission, index: number, leaf: Hash): void {
    const range = CompactRange.empty(index);
    range.append(leaf);
    this.addRange(reason, { first: index, end: index + 1, range });
  }

  /** Adds entries behind all others. */
  addRange(reason: Omission, { first, end, range }: Omit<Open, "reason">): void {
    if (first === end) return;
    const { last } = this;
    if (last === undefined || last.end !== first || last.reason !== reason) {
      this.#ranges.push({ reason, first, end, range: range?.clone() ?? null });
      return;
    }
    last.end = end;
    if (range === null) last.range = null;
    else last.range?.merge(range);
  }

  /** Removes the last range. */
  drop(): void {
    this.#ranges.pop();
  }

  toJSON(): OmittedRange[] {
    return this.#ranges.map(({ reason, first, end, range }) => {
      return { first, end, reason, hashes: range?.hashes.map(encodeBase64) ?? null };
    });
  }
}
