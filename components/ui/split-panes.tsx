'use client';

import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { cn } from './class-names';

const SHARE_MIN = 25;
const SHARE_MAX = 75;
const SHARE_INITIAL = 50;
const KEY_STEP = 2;

interface SplitPanesProps {
  first: ReactNode;
  second: ReactNode;
  label: string;
  /** Share of the first pane, in percent. */
  initialShare?: number;
  /** Pane that fills a narrow screen; by default the panes are stacked. */
  shownAlone?: 'first' | 'second' | null;
}

/**
 * Shows two panes with a separator for pointer and arrow keys (ARIA window splitter), stacked below the `lg`
 * breakpoint. The layout is CSS only, so that hydration shifts nothing.
 */
export function SplitPanes({ first, second, label, initialShare = SHARE_INITIAL, shownAlone = null }: SplitPanesProps) {
  const [sharePercent, setSharePercent] = useState(initialShare);
  const frame = useRef<HTMLDivElement>(null);
  const moveTo = (share: number) => setSharePercent(Math.min(SHARE_MAX, Math.max(SHARE_MIN, share)));
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || frame.current === null) return;
    const { left, width } = frame.current.getBoundingClientRect();
    moveTo(((event.clientX - left) / width) * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: sharePercent - KEY_STEP,
      ArrowRight: sharePercent + KEY_STEP,
      Home: SHARE_MIN,
      End: SHARE_MAX,
      Enter: initialShare,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };
  return (
    <div
      ref={frame}
      style={{ '--share': `${sharePercent}%` } as CSSProperties}
      className={cn(
        'flex grow flex-col lg:min-h-0 lg:shrink lg:basis-0 lg:flex-row',
        shownAlone === null ? 'shrink-0' : 'min-h-0 basis-0',
      )}
    >
      <div
        className={cn(
          'flex min-w-0 flex-col lg:min-h-0 lg:w-(--share) lg:shrink-0',
          shownAlone === 'first' && 'min-h-0 max-lg:flex-1',
          shownAlone === 'second' && 'max-lg:hidden',
        )}
      >
        {first}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={Math.round(sharePercent)}
        aria-valuemin={SHARE_MIN}
        aria-valuemax={SHARE_MAX}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onDoubleClick={() => moveTo(initialShare)}
        onKeyDown={onKeyDown}
        className="relative z-10 hidden w-px shrink-0 cursor-col-resize touch-none bg-line transition-colors before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-amber focus-visible:bg-amber active:bg-amber lg:block"
      />
      <div
        className={cn(
          'flex min-w-0 grow flex-col border-line lg:min-h-0 lg:basis-0 lg:border-t-0',
          shownAlone === null ? 'border-t' : 'min-h-0 basis-0',
          shownAlone === 'first' && 'max-lg:hidden',
        )}
      >
        {second}
      </div>
    </div>
  );
}
