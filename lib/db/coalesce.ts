/**
 * Combines look-ups that arrive together into one query. A look-up joins only a query that is sent after its arrival, so its result
 * is never older than the call.
 */
export function coalesce<Key, Value>(
  load: (keys: Key[]) => Promise<(key: Key) => Value>,
  largest = 500,
): (key: Key) => Promise<Value> {
  interface Asking {
    key: Key;
    resolve: (value: Value) => void;
    reject: (error: unknown) => void;
  }
  const asking: Asking[] = [];

  async function send(): Promise<void> {
    const batch = asking.splice(0, largest);
    if (asking.length > 0) setImmediate(send);
    try {
      const find = await load(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(find(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      asking.push({ key, resolve, reject });
      if (asking.length === 1) setImmediate(send);
    });
}
