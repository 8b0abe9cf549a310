import { orAbort } from "@/lib/certificates/probe/dial";
import { HostBusy, PerHostLimiter } from "@/lib/jobs/per-host-limiter";
import { ForbiddenAddress, type Guard } from "@/lib/network/guarded-lookup";
import { fetchGuarded, REDIRECT_STATUSES, ResponseTooLong } from "@/lib/network/http";

/** Why a file published by an authority is not available. */
export class Unpublished extends Error {
  constructor(
    readonly why: "unsupported_url" | "forbidden_address" | "fetch_failed" | "too_large" | "malformed",
    readonly detail: string | null,
  ) {
    super(why);
  }
}

interface Kind<Value> {
  /** Whether its address is the only proof that it is genuine, so that a redirect from https to http is refused. */
  isUnsigned?: boolean;
  /** Throws for a malformed file. */
  parse: (body: Buffer) => Value;
  /** The maximum size of a file in bytes. */
  maxBytes: number;
  /** The maximum size of all cached files in bytes. */
  maxKeptBytes: number;
  /** About what a parsed file takes in memory, in bytes. By default the size of the file. */
  memoryOf?: (value: Value) => number;
  /** When to fetch it again. */
  staleAt: (value: Value, fetchedAt: Date) => Date;
  /** How long it may be used if no newer version is available. */
  goodUntil: (value: Value, fetchedAt: Date) => Date;
}

interface Kept<Value> {
  value: Value | Unpublished;
  bytes: number;
  staleAt: Date;
  goodUntil: Date;
}

/** Who waits for a file, and how long. */
export interface Waiter {
  organizationId: string;
  signal: AbortSignal;
}

/**
 * Concurrent requests for one kind of file, whose bodies are in memory. Few per organization, because its certificates may name addresses
 * that do not respond. Callers have shorter deadlines than `waitMs`.
 */
const LIMITS = { perHost: 16, perOrganization: 4, waiting: 1_000, waitMs: 60_000 };
const MAX_REDIRECTS = 3;
const DEADLINE_MS = 8_000;
/** Milliseconds before an unavailable file is requested again. */
export const RETRY_MS = 5 * 60_000;

/** Where a redirect leads; null if that is no URL. Throws Unpublished for an unsigned file that would no longer be protected. */
export function redirected(from: URL, location: string, isUnsigned: boolean): URL | null {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  if (isUnsigned && from.protocol === "https:" && to?.protocol === "http:")
    throw new Unpublished("fetch_failed", "a redirect from https to http");
  return to;
}

/** Fetches a file. Every address, including those of redirects, is checked before connecting. Throws Unpublished. */
async function fetchFile(
  text: string,
  { maxBytes, isUnsigned = false }: Pick<Kind<unknown>, "maxBytes" | "isUnsigned">,
  guard: Guard,
): Promise<Buffer> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  let url = URL.canParse(text) ? new URL(text) : null;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (url === null || !/^https?:$/.test(url.protocol)) throw new Unpublished("unsupported_url", null);
    const { status, headers, body } = await fetchGuarded(url, {
      ...guard,
      method: "GET",
      deadlineMs: DEADLINE_MS,
      maxBytes,
      signal,
    });
    if (status === 200) return body;
    const { location = "" } = headers;
    if (!REDIRECT_STATUSES.has(status)) throw new Unpublished("fetch_failed", `HTTP status ${status}`);
    url = redirected(url, location, isUnsigned);
  }
  throw new Unpublished("fetch_failed", "too many redirects");
}

function toUnpublished(error: unknown): Unpublished {
  if (error instanceof Unpublished) return error;
  if (error instanceof ForbiddenAddress) return new Unpublished("forbidden_address", null);
  if (error instanceof ResponseTooLong) return new Unpublished("too_large", error.message);
  return new Unpublished("fetch_failed", error instanceof Error ? error.message : null);
}

/** A cache of one kind of files published by authorities. Concurrent callers share one request per file. */
export class PublishedFiles<Value> {
  private readonly kept = new Map<string, Kept<Value>>();
  private readonly coming = new Map<string, Promise<Value | Unpublished>>();
  private readonly turns = new PerHostLimiter(LIMITS);
  private bytes = 0;

  constructor(
    private readonly kind: Kind<Value>,
    private readonly guard: () => Guard,
  ) {}

  /**
   * The file, from the cache or fetched. If that takes longer than the caller waits, an earlier version that is still good. Never
   * rejects.
   */
  async get(
    url: string,
    now: Date,
    { organizationId = "", signal }: Partial<Waiter> = {},
  ): Promise<Value | Unpublished> {
    const known = this.peek(url, now);
    if (known !== undefined) return known;
    try {
      const coming = this.coming.get(url) ?? this.fetchInTurn(url, now, organizationId, signal);
      return await (signal === undefined ? coming : orAbort(signal, coming));
    } catch (error) {
      const why = error instanceof HostBusy ? "too many other files are being fetched" : "no response in time";
      return this.peek(url, now) ?? this.lastGood(url)?.value ?? new Unpublished("fetch_failed", why);
    }
  }

  /** The cached value; undefined if it must be fetched. */
  private peek(url: string, now: Date): Value | Unpublished | undefined {
    const kept = this.kept.get(url);
    return kept !== undefined && now < kept.staleAt ? kept.value : undefined;
  }

  /** The cached version if it may still be used. */
  private lastGood(url: string): Kept<Value> | undefined {
    const kept = this.kept.get(url);
    return kept !== undefined && new Date() < kept.goodUntil && !(kept.value instanceof Unpublished) ? kept : undefined;
  }

  /** Rejects with HostBusy, or when `signal` aborts before the turn; a request that has begun continues for others. */
  private async fetchInTurn(
    url: string,
    now: Date,
    organizationId: string,
    signal: AbortSignal | undefined,
  ): Promise<Value | Unpublished> {
    signal?.throwIfAborted();
    const leave = await this.turns.enter(organizationId, ["all"], signal);
    try {
      const known = this.peek(url, now);
      if (known !== undefined) return known;
      const coming = this.coming.get(url) ?? this.fetch(url).finally(() => this.coming.delete(url));
      this.coming.set(url, coming);
      return await coming;
    } finally {
      leave();
    }
  }

  private async fetch(url: string): Promise<Value | Unpublished> {
    const { kind } = this;
    try {
      const body = await fetchFile(url, kind, this.guard());
      const at = new Date();
      const value = this.parse(body);
      this.keep(url, {
        value,
        bytes: kind.memoryOf?.(value) ?? body.length,
        staleAt: kind.staleAt(value, at),
        goodUntil: kind.goodUntil(value, at),
      });
      return value;
    } catch (error) {
      const now = new Date();
      const staleAt = new Date(now.getTime() + RETRY_MS);
      const before = this.lastGood(url);
      const kept = before ? { ...before, staleAt } : { value: toUnpublished(error), bytes: 0, staleAt, goodUntil: now };
      this.keep(url, kept);
      return kept.value;
    }
  }

  private parse(body: Buffer): Value {
    try {
      return this.kind.parse(body);
    } catch (error) {
      throw error instanceof Unpublished
        ? error
        : new Unpublished("malformed", error instanceof Error ? error.message : null);
    }
  }

  /** Caches an entry as the newest and evicts the oldest. Unavailable files take a little space too. */
  private keep(url: string, kept: Kept<Value>): void {
    const cost = ({ bytes }: Kept<Value>) => bytes + 500;
    const before = this.kept.get(url);
    if (before !== undefined) this.bytes -= cost(before);
    this.kept.delete(url);
    this.kept.set(url, kept);
    this.bytes += cost(kept);
    for (const [oldest, each] of this.kept) {
      if (this.bytes <= this.kind.maxKeptBytes || oldest === url) break;
      this.kept.delete(oldest);
      this.bytes -= cost(each);
    }
  }
}
