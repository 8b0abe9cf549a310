import { ForbiddenAddress, type Guard } from "@/lib/network/guarded-lookup";
import { fetchGuarded, ResponseTooLong } from "@/lib/network/http";

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

const MAX_REDIRECTS = 3;
const DEADLINE_MS = 8_000;
/** Milliseconds before an unavailable file is requested again. */
export const RETRY_MS = 5 * 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

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
    if (!REDIRECTS.has(status)) throw new Unpublished("fetch_failed", `HTTP status ${status}`);
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
  private bytes = 0;

  constructor(
    private readonly kind: Kind<Value>,
    private readonly guard: () => Guard,
  ) {}

  /** The cached value; undefined if it must be fetched. */
  peek(url: string, now: Date): Value | Unpublished | undefined {
    const kept = this.kept.get(url);
    return kept !== undefined && now < kept.staleAt ? kept.value : undefined;
  }

  /** The file, from the cache or fetched. Never rejects. */
  async get(url: string, now: Date): Promise<Value | Unpublished> {
    const known = this.peek(url, now);
    if (known !== undefined) return known;
    const coming = this.coming.get(url) ?? this.fetch(url).finally(() => this.coming.delete(url));
    this.coming.set(url, coming);
    return coming;
  }

  private async fetch(url: string): Promise<Value | Unpublished> {
    const before = this.kept.get(url);
    const { kind } = this;
    try {
      const body = await fetchFile(url, kind, this.guard());
      const at = new Date();
      const value = this.parse(body);
      this.keep(url, {
        value,
        bytes: body.length,
        staleAt: kind.staleAt(value, at),
        goodUntil: kind.goodUntil(value, at),
      });
      return value;
    } catch (error) {
      const now = new Date();
      const staleAt = new Date(now.getTime() + RETRY_MS);
      const isGood = before !== undefined && now < before.goodUntil && !(before.value instanceof Unpublished);
      const kept = isGood ? { ...before, staleAt } : { value: toUnpublished(error), bytes: 0, staleAt, goodUntil: now };
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
