'use client';

import type { ComponentProps } from 'react';
import { refuse, useHeld } from './use-held';

/** Button without style. If disabled while focused, it keeps focus but ignores clicks and does not submit. */
export function HeldButton({ disabled = false, onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const { isHeld, heldProps } = useHeld<HTMLButtonElement>(disabled, { onFocus, onBlur });
  return <button type="button" {...props} {...heldProps} onClick={isHeld ? refuse : onClick} />;
}
