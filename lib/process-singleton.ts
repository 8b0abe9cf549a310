declare global {
  var sealwatchOnce: Map<string, unknown> | undefined;
}

/**
 * The process-wide value for `key`, created on the first call. Next bundles pages, route handlers and instrumentation
 * separately, so one process may instantiate a module several times; pools, windows and queues must exist only once.
 */
export function processSingleton<T>(key: string, create: () => T): T {
  globalThis.sealwatchOnce ??= new Map();
  const values = globalThis.sealwatchOnce;
  if (!values.has(key)) values.set(key, create());
  return values.get(key) as T;
}
