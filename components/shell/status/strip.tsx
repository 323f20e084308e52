import { cn } from '@/components/ui/class-names';
import type { ReactNode } from 'react';

/** Full-width line of the shell. On a phone it grows with its content. */
export function Strip({ className, children, label }: { className: string; children: ReactNode; label?: string }) {
  return (
    <section
      aria-label={label}
      className={cn(
        'flex min-h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-sm pointer-coarse:min-h-11 lg:px-4',
        className,
      )}
    >
      {children}
    </section>
  );
}
