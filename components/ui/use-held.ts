'use client';

import { type FocusEvent, useState } from 'react';

interface Focusable<Element> {
  onFocus?: ((event: FocusEvent<Element>) => void) | undefined;
  onBlur?: ((event: FocusEvent<Element>) => void) | undefined;
}

/**
 * For a control that keeps the focus when it is disabled while it has it: until it is enabled again it says
 * `aria-disabled`, where `disabled` would drop the focus on the page's body. Whoever uses it takes no input while
 * `isHeld`.
 */
export function useHeld<Element extends HTMLElement>(disabled: boolean, { onFocus, onBlur }: Focusable<Element>) {
  const [hasFocus, setHasFocus] = useState(false);
  const [wasHeld, setWasHeld] = useState(false);
  const isHeld = isHeldAfter(wasHeld, { isDisabled: disabled, hasFocus });
  if (isHeld !== wasHeld) setWasHeld(isHeld);
  return {
    isHeld,
    /** For the control itself. */
    heldProps: {
      disabled: disabled && !isHeld,
      ...(isHeld ? { 'aria-disabled': true } : {}),
      onFocus: (event: FocusEvent<Element>) => {
        setHasFocus(true);
        onFocus?.(event);
      },
      onBlur: (event: FocusEvent<Element>) => {
        // A window that loses the focus, to that of a wallet for one, gives it back to what had it.
        setHasFocus(document.activeElement === event.currentTarget);
        onBlur?.(event);
      },
    },
  };
}

/** Whether a disabled control stays focusable: from when it is disabled with the focus on it until it is enabled, so that dialogs can give the focus back to it. */
export function isHeldAfter(
  wasHeld: boolean,
  { isDisabled, hasFocus }: { isDisabled: boolean; hasFocus: boolean },
): boolean {
  return isDisabled && (wasHeld || hasFocus);
}

/** Keeps an event of a held control from doing anything: a click from activating or submitting, a key from opening a list. */
export function refuse(event: { preventDefault: () => void; stopPropagation: () => void }): void {
  event.preventDefault();
  event.stopPropagation();
}

/** As `refuse`, but for the keys that leave the control. */
export function refuseKey(event: { key: string; preventDefault: () => void; stopPropagation: () => void }): void {
  if (event.key !== 'Tab' && event.key !== 'Escape') refuse(event);
}
