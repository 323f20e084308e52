'use client';

import { inOwnTask } from '@/lib/browser/page/load-code';
import { uiWords } from './words';
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Button } from './button';

export interface OnDemand<Props extends object> {
  (props: Props): ReactNode;
  preload: () => void;
}

interface OnDemandOptions {
  waiting?: ReactNode;
  /** True if the component floats above the page, so that its load error floats too. */
  floats?: boolean;
}

type Progress<Props extends object> =
  | { kind: 'idle' | 'loading' | 'failed' }
  | { kind: 'loaded'; Loaded: ComponentType<Props> };

/**
 * Creates a component that loads its code when first shown or preloaded. If loading fails, shows the error with a
 * retry.
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
