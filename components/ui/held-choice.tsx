'use client';

import type { ComponentProps } from 'react';
import { refuse, refuseKey, useHeld } from './held-button';

/** Radio button, checkbox or slider without style. A focused control that becomes disabled keeps focus and value. */
export function HeldChoice({
  disabled = false,
  onClick,
  onChange,
  onKeyDown,
  onPointerDown,
  onFocus,
  onBlur,
  ...props
}: ComponentProps<'input'>) {
  const { isHeld, heldProps } = useHeld<HTMLInputElement>(disabled, { onFocus, onBlur });
  return (
    <input
      {...props}
      {...heldProps}
      onChange={isHeld ? ignore : onChange}
      onClick={isHeld ? refuse : onClick}
      onPointerDown={isHeld ? refuse : onPointerDown}
      onKeyDown={isHeld ? refuseKey : onKeyDown}
    />
  );
}

/** React requires a handler for a controlled value. */
function ignore(): void {}
