'use client';

import type { ComponentProps } from 'react';
import { cn } from './class-names';
import { HeldChoice } from './held-choice';

/** Switch for a setting (ARIA switch pattern). */
export function Switch({ className, ...props }: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    <HeldChoice
      {...props}
      type="checkbox"
      role="switch"
      aria-checked={props.checked === true}
      className={cn(
        'relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-surface transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-dim before:transition-transform checked:border-amber-ink checked:bg-amber checked:before:translate-x-4 checked:before:bg-amber-on',
        className,
      )}
    />
  );
}
