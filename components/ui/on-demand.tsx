'use client';

import { inOwnTask } from '@/lib/browser/own-task';
import { uiWords } from '@/lib/browser/words/ui';
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Button } from './button';

/** A component whose code comes with its first use. */
export interface OnDemand<Props extends object> {
  (props: Props): ReactNode;
  /** Begins to load the code, for the moment in which somebody is about to need it. */
  preload: () => void;
}

interface OnDemandOptions {
  /** Stands in its place meanwhile; nothing unless given. */
  waiting?: ReactNode;
  /** Whether it floats above the page, so that what is said where it does not come has to float too. */
  floats?: boolean;
}

type Progress<Props extends object> =
  | { kind: 'idle' | 'loading' | 'failed' }
  | { kind: 'loaded'; Loaded: ComponentType<Props> };

/**
 * Makes a component that loads its code when it is first shown, or preloaded. Where the code does not come (the
 * gateway is gone, the line is down), it says so and offers to try again; the page around it stays.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, floats = false }: OnDemandOptions = {},
): OnDemand<Props> {
  let progress: Progress<Props> = { kind: 'idle' };
  const listeners = new Set<() => void>();
  const enter = (next: Progress<Props>) => {
    progress = next;
    listeners.forEach((listener) => listener());
  };
  const preload = () => {
    if (progress.kind === 'loaded' || progress.kind === 'loading') return;
    enter({ kind: 'loading' });
    load().then(
      (Loaded) => enter({ kind: 'loaded', Loaded }),
      () => enter({ kind: 'failed' }),
    );
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const current = () => progress;
  function Demanded(props: Props): ReactNode {
    const now = useSyncExternalStore(subscribe, current, current);
    useEffect(() => {
      inOwnTask(preload);
    }, []);
    if (now.kind === 'loaded') return <now.Loaded {...props} />;
    return now.kind === 'failed' ? <NotLoaded floats={floats} onRetry={preload} /> : waiting;
  }
  return Object.assign(Demanded, { preload });
}

function NotLoaded({ floats, onRetry }: { floats: boolean; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className={`flex items-center gap-3 rounded-md border border-line bg-raised p-3 text-sm ${floats ? 'fixed inset-x-3 bottom-18 z-50 mx-auto w-fit shadow-overlay' : ''}`}
    >
      {uiWords.notLoaded}
      <Button size="sm" onClick={onRetry}>
        {uiWords.tryAgain}
      </Button>
    </div>
  );
}
