'use client';

import type { ComponentProps } from 'react';
import { refuse, useHeld } from './use-held';

/** A bare button that keeps the focus when it is disabled while it has it; until it is enabled again it takes no click, nor submits. */
export function HeldButton({ disabled = false, onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const { isHeld, heldProps } = useHeld<HTMLButtonElement>(disabled, { onFocus, onBlur });
  return <button type="button" {...props} {...heldProps} onClick={isHeld ? refuse : onClick} />;
}
