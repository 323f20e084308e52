'use client';

import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';

const SHARE_MIN = 25;
const SHARE_MAX = 75;
const SHARE_INITIAL = 50;
const KEY_STEP = 2;

interface SplitPanesProps {
  first: ReactNode;
  second: ReactNode;
  label: string;
}

/**
 * Shows two panes with a separator for pointer and arrow keys (ARIA window splitter), stacked below the `lg`
 * breakpoint. The layout is CSS only, so that hydration shifts nothing.
 */
export function SplitPanes({ first, second, label }: SplitPanesProps) {
  const [sharePercent, setSharePercent] = useState(SHARE_INITIAL);
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
      Enter: SHARE_INITIAL,
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
      className="flex shrink-0 grow flex-col lg:min-h-0 lg:shrink lg:basis-0 lg:flex-row"
    >
      <div className="flex min-w-0 flex-col lg:min-h-0 lg:w-(--share) lg:shrink-0">{first}</div>
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
        onDoubleClick={() => moveTo(SHARE_INITIAL)}
        onKeyDown={onKeyDown}
        className="relative z-10 hidden w-px shrink-0 cursor-col-resize touch-none bg-line transition-colors before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-amber focus-visible:bg-amber active:bg-amber lg:block"
      />
      <div className="flex min-w-0 grow flex-col border-t border-line lg:min-h-0 lg:basis-0 lg:border-t-0">
        {second}
      </div>
    </div>
  );
}
