'use client';

import { useEffect, useRef } from 'react';

/** On the entry of the history that such a step has. */
const MARK = 'turnpikeStep';

/**
 * Has the browser's Back lead out of a step of this page, and not out of the page: the step has an entry of the history
 * for as long as it lasts, at the same address. Where the step ends otherwise, the entry goes with it.
 *
 * @param isAt whether the step is shown
 * @param onBack shows what was before it
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
      // What the router keeps on its entry stays on this one, which it then takes for its own.
      window.history.pushState({ ...window.history.state, [MARK]: true }, '');
      const leave = () => {
        listening.abort();
        latest.current();
      };
      window.addEventListener('popstate', leave, { signal: listening.signal });
    };
    // After the effects: React runs them twice in development, and going back takes its time.
    const timer = setTimeout(enter);
    return () => {
      clearTimeout(timer);
      const wasLeft = listening.signal.aborted;
      listening.abort();
      // Where another page was opened from it, the entry on top is that of the page.
      if (!wasLeft && isMarked(window.history.state)) window.history.back();
    };
  }, [isAt]);
}

function isMarked(state: unknown): boolean {
  return typeof state === 'object' && state !== null && MARK in state;
}
