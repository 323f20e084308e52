/** Listeners of a value that lives outside React. */
export interface Listeners {
  /** Adds a listener. @returns a function that removes it */
  subscribe(listener: () => void): () => void;
  /** Calls every listener. */
  tell(): void;
}

/** Creates an empty list of listeners. A value that storage keeps has `createStoredValue` instead. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: () => listeners.forEach((listener) => listener()),
  };
}
