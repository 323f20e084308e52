import type { ComponentProps } from 'react';
import { cn } from './class-names';

/** Placeholder with the size of the content, which the caller sets. */
export function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return <span aria-hidden className={cn('block animate-pulse rounded-sm bg-hover', className)} {...props} />;
}
