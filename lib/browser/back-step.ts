'use client';

import { useEffect, useRef } from 'react';

const MARK = 'turnpikeStep';

/**
 * Lets the browser's Back button close a step of this page. Adds a history entry with the same address, and removes the
 * entry if the step ends in another way.
 *
 * @param isAt whether the step is shown
 * @param onBack shows the previous step
 */
export function useBackStep(isAt: boolean, onBack: () => void): void {
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useEffect(() => {
    if (!isAt) return;
    const listening = new AbortController();
    const enter = () => {
      // Keeps the router's state, so that the router accepts this entry as its own.
      window.history.pushState({ ...window.history.state, [MARK]: true }, '');
      const leave = () => {
        listening.abort();
        latest.current();
      };
      window.addEventListener('popstate', leave, { signal: listening.signal });
    };
    // Deferred because React runs effects twice in development and `history.back()` is asynchronous.
    const timer = setTimeout(enter);
    return () => {
      clearTimeout(timer);
      const wasLeft = listening.signal.aborted;
      listening.abort();
      // If another page was opened from the step, the top entry belongs to that page.
      if (!wasLeft && isMarked(window.history.state)) window.history.back();
    };
  }, [isAt]);
}

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && MARK in state;
}
