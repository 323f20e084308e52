import { cn } from '@/components/ui/class-names';
import { type ReactNode, useId } from 'react';

interface OperatorSectionProps {
  title: string;
  note?: string;
  /** Control beside the title. */
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function OperatorSection({ title, note, action, className, children }: OperatorSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn('grid min-w-0 content-start gap-3', className)}>
      <div className={cn('flex flex-wrap gap-x-3 gap-y-2', action ? 'items-center justify-between' : 'items-baseline')}>
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {note !== undefined && <p className="text-xs text-dim">{note}</p>}
        {action}
      </div>
      {children}
    </section>
  );
}

export function Figure({ name, note, children }: { name: string; note: string; children: string }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <p className="text-sm text-dim">{name}</p>
      <p className="figures truncate text-2xl font-semibold tracking-tight">{children}</p>
      <p className="text-xs text-dim">{note}</p>
    </div>
  );
}
