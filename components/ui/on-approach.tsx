'use client';

import { type ComponentType, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { onDemand } from './on-demand';

/**
 * Makes a component that loads its code when it comes into sight, or with the first sign of a person: what lies below
 * the fold is no part of what a page loads by itself. `waiting` stands in its place until then, as large as what comes.
 */
export function onApproach<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting }: { waiting: ReactNode },
): (props: Props) => ReactNode {
  const Part = onDemand(load, { waiting });
  return function Approached(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    const isSeen = useIsSeen(place);
    const isSomebodyThere = useSyncExternalStore(
      listenForPerson,
      () => hasActed,
      () => false,
    );
    return isSeen || isSomebodyThere ? <Part {...props} /> : <div ref={place}>{waiting}</div>;
  };
}

const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'scroll'] as const;

let hasActed = false;
const listeners = new Set<() => void>();

// From the start: a part that is first shown by a click has to know of that click.
if (typeof window !== 'undefined')
  for (const sign of SIGNS) window.addEventListener(sign, noteAct, { capture: true, passive: true });

function listenForPerson(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function noteAct(): void {
  hasActed = true;
  for (const sign of SIGNS) window.removeEventListener(sign, noteAct, { capture: true });
  listeners.forEach((listener) => listener());
}

/** What peeps in at the bottom of the window is not read yet: the reader would have to look, and that moves something. */
const IN_SIGHT = { rootMargin: '0px 0px -25% 0px' };

/** Whether a place has been in sight, above the lowest quarter of the window. */
function useIsSeen(place: { current: Element | null }): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    }, IN_SIGHT);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place]);
  return isSeen;
}
