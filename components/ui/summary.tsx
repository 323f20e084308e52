import { ChevronRight } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './class-names';

interface SummaryProps extends ComponentProps<'summary'> {
  /** Where the sign stands that says there is more: before the words, or at the end of a row. */
  chevronAt?: 'start' | 'end';
  chevronClassName?: string;
}

/**
 * The line that opens a `<details className="group">`. It always shows a chevron, which turns when the details are open:
 * `display: flex` takes the platform's own marker away, and a line without one does not look as if it opens.
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
