'use client';

import { type ComponentType, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { onDemand } from './on-demand';

/**
 * Creates a component that loads its code when it is scrolled into view, or at the user's first input. `waiting` is a
 * placeholder of the same size. If it is null, only input loads the code.
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
    return isSeen || isSomebodyThere ? (
      <Part {...props} />
    ) : (
      <div ref={place} hidden={waiting === null}>
        {waiting}
      </div>
    );
  };
}

const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'scroll'] as const;

let hasActed = false;
const listeners = new Set<() => void>();

// Listens from the start, because the component may first appear after the user's first input.
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

/** Excludes the bottom quarter of the window, because a change there would distract the reader. */
const IN_SIGHT = { rootMargin: '0px 0px -25% 0px' };

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
