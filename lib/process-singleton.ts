declare global {
  var sealwatchOnce: Map<string, unknown> | undefined;
}

/**
 * The process-wide value for `key`, created at the first call. Next bundles pages, route handlers and instrumentation
 * apart, so a module may be instantiated several times in one process; pools, windows and queues must not be.
 */
export function processSingleton<T>(key: string, create: () => T): T {
  globalThis.sealwatchOnce ??= new Map();
  const values = globalThis.sealwatchOnce;
  if (!values.has(key)) values.set(key, create());
  return values.get(key) as T;
}
