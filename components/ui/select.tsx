import type { ComponentProps } from 'react';
import { cn } from './class-names';

/** The platform's own list of choices, in the look of a field. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select className={cn('h-8 w-full min-w-0 rounded-md border border-edge bg-ground px-2 text-sm text-ink disabled:opacity-60 pointer-coarse:h-10', className)} {...props} />;
}
