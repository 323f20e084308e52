'use client';

import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** Whether what only this browser knows is shown yet. Once it is, whatever is shown later begins with that. */
let isPageAlive = false;

/**
 * What only this browser knows: as the server took it until the page has come alive, and then as it is. All of that
 * changes in one rendering that is done in parts, between which the page answers; `useSyncExternalStore` by itself
 * renders it at once, in the task in which React takes the page over, which held a phone for a tenth of a second
 * (docs/decisions.md, 248). A change that comes before it is shown at once.
 *
 * @param subscribe the same function in each rendering, or another for another store
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
 * Whether the page has come alive: false on the server and in what it sent, until React has taken that over. Fields
 * that hold a value of React's are read-only until then, because React puts its own value over what was typed before.
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
