import type { ComponentProps } from 'react';
import { cn } from './class-names';

export function Kbd({ className, ...props }: ComponentProps<'kbd'>) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-current/25 px-1 font-sans text-xs pointer-coarse:hidden',
        className,
      )}
      {...props}
    />
  );
}
