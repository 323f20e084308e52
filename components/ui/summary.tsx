import { ChevronRight } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './class-names';

interface SummaryProps extends ComponentProps<'summary'> {
  chevronAt?: 'start' | 'end';
  chevronClassName?: string;
}

/**
 * Summary line of a `<details className="group">`. Shows its own chevron, because `display: flex` removes the native
 * marker.
 */
export function Summary({ chevronAt = 'start', chevronClassName, className, children, ...props }: SummaryProps) {
  const chevron = (
    <ChevronRight
      aria-hidden
      className={cn('size-4 shrink-0 text-dim transition-transform group-open:rotate-90', chevronClassName)}
    />
  );
  return (
    <summary className={cn('flex items-center gap-2', className)} {...props}>
      {chevronAt === 'start' && chevron}
      {children}
      {chevronAt === 'end' && chevron}
    </summary>
  );
}
