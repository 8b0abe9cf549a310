interface Size {
  count: number;
  bytes: number;
}

interface Kept<Value> {
  value: Value;
  bytes: number;
  owner: string;
}

/**
 * A cache of the values that were used last. Beyond a limit, the owner with the most of it loses the value that it has used
 * longest ago, so that no organization can take the room of the others.
 */
export class RecentlyUsed<Value> {
  /** The most recently used is last. */
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #owners = new Map<string, Size>();
  readonly #total: Size = { count: 0, bytes: 0 };

  constructor(private readonly most: Size) {}

  /** The value with this key, which now is the most recently used. */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** Keeps a value as the most recently used; `bytes` estimates the memory that it takes. */
  set(key: string, value: Value, { bytes, owner = "" }: { bytes: number; owner?: string }): void {
    this.delete(key);
    this.#kept.set(key, { value, bytes, owner });
    this.#add(owner, 1, bytes);
    while (this.#total.count > this.most.count) this.#forget("count");
    while (this.#total.bytes > this.most.bytes) this.#forget("bytes");
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#add(kept.owner, -1, -kept.bytes);
  }

  #add(owner: string, count: number, bytes: number): void {
    const size = this.#owners.get(owner) ?? { count: 0, bytes: 0 };
    this.#owners.set(owner, size);
    for (const each of [size, this.#total]) {
      each.count += count;
      each.bytes += bytes;
    }
    if (size.count === 0) this.#owners.delete(owner);
  }

  /** Forgets what the owner with the most has used longest ago. */
  #forget(measure: keyof Size): void {
    const [largest] = [...this.#owners].reduce((one, other) => (other[1][measure] > one[1][measure] ? other : one));
    for (const [key, { owner }] of this.#kept) {
      if (owner !== largest) continue;
      this.delete(key);
      return;
    }
  }
}
