'use client';

import { type ComponentProps, type MouseEvent, useState } from 'react';

/**
 * A bare button that keeps the focus when it is disabled while it has it: until it is enabled again it says
 * `aria-disabled` and takes no click (nor submits), where `disabled` would drop the focus on the page's body.
 */
export function HeldButton({ disabled = false, onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const [hasFocus, setHasFocus] = useState(false);
  const [wasHeld, setWasHeld] = useState(false);
  const isHeld = isHeldAfter(wasHeld, { isDisabled: disabled, hasFocus });
  if (isHeld !== wasHeld) setWasHeld(isHeld);
  return (
    <button
      type="button"
      {...props}
      disabled={disabled && !isHeld}
      {...(isHeld ? { 'aria-disabled': true } : {})}
      onClick={isHeld ? refuse : onClick}
      onFocus={(event) => {
        setHasFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        // A window that loses the focus, to that of a wallet for one, gives it back to what had it.
        setHasFocus(document.activeElement === event.currentTarget);
        onBlur?.(event);
      }}
    />
  );
}

/** Whether a disabled button stays focusable: from when it is disabled with the focus on it until it is enabled, so that dialogs can give the focus back to it. */
export function isHeldAfter(wasHeld: boolean, { isDisabled, hasFocus }: { isDisabled: boolean; hasFocus: boolean }): boolean {
  return isDisabled && (wasHeld || hasFocus);
}

function refuse(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
