'use client';

import { Popover as Primitive } from 'radix-ui';
import { type ComponentProps, useRef } from 'react';
import { cn } from './class-names';
import type { OverlayState } from './overlay';

export interface PopoverPanelProps extends ComponentProps<typeof Primitive.Content> {
  overlay: OverlayState;
  focusAfter?: () => HTMLElement | null;
  /** Focuses the panel itself. Otherwise, pressing the opening key twice would activate the panel's first control. */
  focusWhole?: boolean;
}

/** Ignores presses on the trigger, because the trigger handles them itself. */
export function PopoverPanel({
  overlay: { trigger, setOpen, panelId },
  className,
  align = 'start',
  focusAfter,
  focusWhole = false,
  ...props
}: PopoverPanelProps) {
  const leftForElsewhere = useRef(false);
  return (
    <Primitive.Root open onOpenChange={setOpen}>
      <Primitive.Anchor virtualRef={trigger as { current: HTMLElement }} />
      <Primitive.Portal>
        <Primitive.Content
          id={panelId}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            if (!focusWhole) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onInteractOutside={(event) => {
            if (trigger.current?.contains(event.target as Node)) event.preventDefault();
            else leftForElsewhere.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (leftForElsewhere.current) return;
            const back = focusAfter?.();
            (back?.isConnected ? back : trigger.current)?.focus();
          }}
          className={cn(
            'z-50 max-h-(--radix-popover-content-available-height) animate-appear overflow-auto rounded-md border border-line bg-raised p-3 text-sm shadow-overlay outline-none',
            className,
          )}
          {...props}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}
