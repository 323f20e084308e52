'use client';

import type { ComponentProps } from 'react';
import { HeldButton } from './held-button';
import { useOverlay } from './overlay-state';
import { Slot } from './slot';

interface OverlayTriggerProps extends ComponentProps<'button'> {
  asChild?: boolean;
  /** Called when the user hovers or focuses the trigger. */
  preload: () => void;
}

export function OverlayTrigger({
  asChild = false,
  preload,
  onClick,
  onPointerEnter,
  onPointerDown,
  onFocus,
  ...props
}: OverlayTriggerProps) {
  const { open, setOpen, setTrigger, panelId } = useOverlay();
  const Element = asChild ? Slot : HeldButton;
  return (
    <Element
      type="button"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-controls={open ? panelId : undefined}
      data-state={open ? 'open' : 'closed'}
      {...props}
      ref={setTrigger}
      onPointerEnter={both(preload, onPointerEnter)}
      onPointerDown={both(preload, onPointerDown)}
      onFocus={both(preload, onFocus)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented) return;
        preload();
        setOpen(!open);
      }}
    />
  );
}

export function OverlayClose({ asChild = false, onClick, ...props }: ComponentProps<'button'> & { asChild?: boolean }) {
  const { setOpen } = useOverlay();
  const Element = asChild ? Slot : 'button';
  return (
    <Element
      type="button"
      {...props}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) setOpen(false);
      }}
    />
  );
}

function both<Event>(first: () => void, second: ((event: Event) => void) | undefined): (event: Event) => void {
  return (event) => {
    first();
    second?.(event);
  };
}
