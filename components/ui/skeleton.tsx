import type { ComponentProps } from 'react';
import { cn } from './class-names';

/** Placeholder for content. The caller sets its size. */
export function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return <span aria-hidden className={cn('block animate-pulse rounded-sm bg-hover', className)} {...props} />;
}
