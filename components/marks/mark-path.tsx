import { cn } from '@/components/ui/class-names';
import type { LucideIcon } from 'lucide-react';

/** Draws a mark in the colour of its text; without one, an icon. */
export function MarkPath({
  path,
  fallback: Fallback,
  className,
}: {
  path: string | undefined;
  fallback: LucideIcon;
  className: string | undefined;
}) {
  const classes = cn('size-4 shrink-0', className);
  if (path === undefined) return <Fallback aria-hidden className={classes} />;
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" className={classes}>
      <path d={path} />
    </svg>
  );
}
