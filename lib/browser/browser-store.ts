'use client';

import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** True after the first hydration. From then on, components may read values that only this browser knows. */
let isPageAlive = false;

/**
 * Reads a value that only this browser knows. Returns the server's value until hydration. Then renders the real value
 * in a transition, because `useSyncExternalStore` alone renders synchronously (docs/decisions/console.md, 248). If the
 * value changes before that, renders the new value immediately.
 * @param subscribe must be the same function in every rendering
 */
export function useBrowserStore<T>(
  subscribe: (listener: () => void) => () => void,
  get: () => T,
  ofServer: () => T,
): T {
  const [isAlive, setAlive] = useAlive();
  const subscribeAlive = useCallback(
    (listener: () => void) =>
      subscribe(() => {
        setAlive(true);
        listener();
      }),
    [subscribe, setAlive],
  );
  return useSyncExternalStore(subscribeAlive, isAlive ? get : ofServer, ofServer);
}

/**
 * Returns whether React has hydrated the page. Controlled fields are read-only until then, because hydration overwrites
 * earlier input.
 */
export function useHydrated(): boolean {
  return useAlive()[0];
}

function useAlive() {
  const alive = useState(isPageAlive);
  const setAlive = alive[1];
  useEffect(() => {
    isPageAlive = true;
    startTransition(() => setAlive(true));
  }, [setAlive]);
  return alive;
}
