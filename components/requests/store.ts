import { useSyncExternalStore } from "react";

/** A value outside of React that components can follow. The server renders `initial`. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): Value => useSyncExternalStore(subscribe, get, () => initial),
  };
}
