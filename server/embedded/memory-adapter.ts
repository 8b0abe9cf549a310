import type { Adapter, AdapterPayload } from "oidc-provider";

type Entry = { payload: AdapterPayload; expiresAt: number };

const entries = new Map<string, Entry>();

/** Deletes expired entries, so that a process that runs for months stays small. */
export function sweepMemory(now = Date.now()): void {
  for (const [key, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(key);
}

/** The embedded identity provider's store: pending sign-ins and its own sessions, which need not survive a restart. */
export class MemoryAdapter implements Adapter {
  constructor(private readonly model: string) {}

  #matching(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, expiresAt }] of entries) {
      if (key.startsWith(`${this.model}:`) && expiresAt > Date.now() && matches(payload)) return payload;
    }
    return undefined;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY;
    entries.set(`${this.model}:${id}`, { payload, expiresAt });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = entries.get(`${this.model}:${id}`);
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#matching((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#matching((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const entry = entries.get(`${this.model}:${id}`);
    if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    entries.delete(`${this.model}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key);
  }
}
