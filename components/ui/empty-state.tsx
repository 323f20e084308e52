import type { ComponentProps } from 'react';
import { cn } from './class-names';

interface EmptyStateProps extends ComponentProps<'div'> {
  /** Drawing that `app/globals.css` defines. */
  drawing: 'chain' | 'coins' | 'film' | 'key' | 'plot' | 'receipt' | 'rows' | 'sound';
}

/** Shows a small drawing and a sentence in place of an empty list or plot. */
export function EmptyState({ drawing, className, ...props }: EmptyStateProps) {
  return (
    <div
      data-drawing={drawing}
      className={cn('rounded-md bg-surface px-4 py-8 text-center text-sm text-dim', className)}
      {...props}
    />
  );
}
