/** Listeners of a value outside React. */
export interface Listeners {
  /** Adds a listener. @returns a function that removes it */
  subscribe(listener: () => void): () => void;
  tell(): void;
}

/** Creates an empty list of listeners. For stored values, use `createStoredValue`. */
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
