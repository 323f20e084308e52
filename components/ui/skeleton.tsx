import type { ComponentProps } from 'react';
import { cn } from './class-names';

/** The place of something that is on its way. Give it the size of what will come. */
export function Skeleton({ className, ...props }: ComponentProps<'span'>) {
  return <span aria-hidden className={cn('block animate-pulse rounded-sm bg-hover', className)} {...props} />;
}
