/**
 * A signal that aborts with `signal`, or after `ms`. Not `AbortSignal.any` over `AbortSignal.timeout`: Node 20 may collect the latter.
 * Call `end` when the work is done.
 */
export function limitedSignal(signal: AbortSignal, ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new DOMException(`no end within ${ms} ms`, "TimeoutError")), ms);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, end };
}
