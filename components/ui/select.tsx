'use client';

import type { ComponentProps } from 'react';
import { cn } from './class-names';
import { refuse, refuseKey, useHeld } from './use-held';

/** Native select, styled as a field. If disabled while focused, it keeps the focus and does not open. */
export function Select({
  className,
  disabled = false,
  onMouseDown,
  onKeyDown,
  onFocus,
  onBlur,
  ...props
}: ComponentProps<'select'>) {
  const { isHeld, heldProps } = useHeld<HTMLSelectElement>(disabled, { onFocus, onBlur });
  return (
    <select
      className={cn(
        'h-8 w-full min-w-0 rounded-md border border-edge bg-ground px-2 text-sm text-ink disabled:opacity-60 aria-disabled:opacity-60 pointer-coarse:h-10',
        className,
      )}
      {...props}
      {...heldProps}
      onMouseDown={isHeld ? refuse : onMouseDown}
      onKeyDown={isHeld ? refuseKey : onKeyDown}
    />
  );
}
