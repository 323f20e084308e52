import { cn } from '@/components/ui/class-names';
import { type ReactNode, useId } from 'react';

export function Section({
  title,
  action,
  anchor,
  className,
  children,
}: {
  title: string;
  action?: ReactNode;
  /** Fragment id for links to this section. */ anchor?: string;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className={cn('flex min-w-0 scroll-mt-4 flex-col gap-3', className)}>
      <div className="flex h-7 items-center justify-between gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
