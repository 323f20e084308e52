'use client';

import { Popover as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names';

export const Popover = Primitive.Root;
export const PopoverTrigger = Primitive.Trigger;
export const PopoverClose = Primitive.Close;

/** A panel that hangs on its trigger. */
export function PopoverContent({ className, align = 'start', ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className={cn('z-50 max-h-(--radix-popover-content-available-height) animate-appear overflow-auto rounded-md border border-line bg-raised p-3 text-sm shadow-overlay outline-none', className)}
        {...props}
      />
    </Primitive.Portal>
  );
}
