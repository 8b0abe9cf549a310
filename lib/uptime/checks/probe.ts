import { withoutSecrets } from "@/lib/uptime/checks/hide-secrets";
import {
  CheckFailure,
  type CheckSettings,
  failureOf,
  microsecondsSince,
  type Outcome,
  type ProbeOptions,
  type Seen,
  storedDetail,
} from "@/lib/uptime/checks/outcome";
import { probeDns } from "@/lib/uptime/checks/probe-dns";
import { probeHttp } from "@/lib/uptime/checks/probe-http";
import { probePing } from "@/lib/uptime/checks/probe-ping";
import { probeTcp } from "@/lib/uptime/checks/probe-tcp";

/** Throws CheckFailure if the check has taken too long. */
function requireSpeed(totalUs: number, { assertions }: CheckSettings): void {
  const most = assertions.max_response_time_ms ?? null;
  const ms = Math.round(totalUs / 1000);
  if (most !== null && totalUs > most * 1000) throw new CheckFailure("too_slow", `${ms} ms`);
}

/**
 * Runs one check. Failures are part of the outcome; rejects only if `signal` aborts. Resolves a name once per hop, rejects
 * forbidden addresses before sending anything, and verifies https and TLS as a browser would unless told otherwise.
 */
export async function probe(settings: CheckSettings, options: ProbeOptions): Promise<Outcome> {
  const { signal } = options;
  signal?.throwIfAborted();
  const at = new Date();
  const start = performance.now();
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => stopping.abort(new CheckFailure("timeout")), settings.timeoutSeconds * 1000);
  const seen: Seen = { statusCode: null, address: null, dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null };
  let failure: CheckFailure | null = null;
  let totalUs: number | null = null;
  try {
    const { dns } = settings.typeSettings;
    if (dns !== undefined) await probeDns({ ...settings, dns }, options, seen, stopping.signal);
    else if (settings.type === "ping") totalUs = await probePing(settings, options, seen, stopping.signal);
    else if (settings.type === "tcp") await probeTcp(settings, options, seen, stopping.signal);
    else await probeHttp(settings, options, seen, stopping.signal);
    totalUs ??= microsecondsSince(start);
    requireSpeed(totalUs, settings);
  } catch (error) {
    signal?.throwIfAborted();
    // What was found wrong before the time was up stays the reason, although reading evidence took until then.
    const isFound = error instanceof CheckFailure || !stopping.signal.aborted;
    failure = failureOf(isFound ? error : stopping.signal.reason);
    totalUs ??= Math.round((failure.failedAt - start) * 1000);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
  const outcome = {
    at,
    ok: failure === null,
    reason: failure?.reason ?? null,
    detail: failure?.detail ?? null,
    ...seen,
    response: failure === null ? null : (seen.response ?? null),
    totalUs,
  };
  const hidden = withoutSecrets(outcome, settings);
  return { ...hidden, detail: storedDetail(hidden.detail) };
}
