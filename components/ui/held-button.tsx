'use client';

import { type ComponentProps, type FocusEvent, useState } from 'react';

/** Button without style. A focused button that becomes disabled keeps focus but ignores clicks. */
export function HeldButton({ disabled = false, onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const { isHeld, heldProps } = useHeld<HTMLButtonElement>(disabled, { onFocus, onBlur });
  return <button type="button" {...props} {...heldProps} onClick={isHeld ? refuse : onClick} />;
}

interface Focusable<Element> {
  onFocus?: ((event: FocusEvent<Element>) => void) | undefined;
  onBlur?: ((event: FocusEvent<Element>) => void) | undefined;
}

/**
 * Keeps focus on a focused control that becomes disabled. Sets `aria-disabled` instead of `disabled`, which would move
 * focus to the body. The control must ignore input while `isHeld`.
 */
export function useHeld<Element extends HTMLElement>(disabled: boolean, { onFocus, onBlur }: Focusable<Element>) {
  const [hasFocus, setHasFocus] = useState(false);
  const [wasHeld, setWasHeld] = useState(false);
  const isHeld = isHeldAfter(wasHeld, { isDisabled: disabled, hasFocus });
  if (isHeld !== wasHeld) setWasHeld(isHeld);
  return {
    isHeld,
    heldProps: {
      disabled: disabled && !isHeld,
      ...(isHeld ? { 'aria-disabled': true } : {}),
      onFocus: (event: FocusEvent<Element>) => {
        setHasFocus(true);
        onFocus?.(event);
      },
      onBlur: (event: FocusEvent<Element>) => {
        // If the whole window loses focus, for example to a wallet's window, the element stays `activeElement`.
        setHasFocus(document.activeElement === event.currentTarget);
        onBlur?.(event);
      },
    },
  };
}

/**
 * Returns whether a disabled control stays focusable. A control that had focus when it was disabled stays focusable
 * until enabled, so that dialogs can restore its focus.
 */
export function isHeldAfter(
  wasHeld: boolean,
  { isDisabled, hasFocus }: { isDisabled: boolean; hasFocus: boolean },
): boolean {
  return isDisabled && (wasHeld || hasFocus);
}

/** Cancels an event of a disabled control that kept focus. */
export function refuse(event: { preventDefault: () => void; stopPropagation: () => void }): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Cancels a key event in the same way as `refuse`, unless the key moves focus away from the control. */
export function refuseKey(event: { key: string; preventDefault: () => void; stopPropagation: () => void }): void {
  if (event.key !== 'Tab' && event.key !== 'Escape') refuse(event);
}
