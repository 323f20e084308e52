'use client';

import type { ComponentProps } from 'react';
import { refuse, refuseKey, useHeld } from './use-held';

/** A bare radio button, checkbox or slider that keeps the focus when it is disabled while it has it; until it is enabled again its value stays. */
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

/** React asks for a handler where it is given a value. */
function ignore(): void {}
