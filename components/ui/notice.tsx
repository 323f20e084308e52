import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names';

const TONES = {
  bad: { box: 'border-bad-line bg-bad-soft', icon: 'text-bad', Icon: CircleAlert },
  warn: { box: 'border-amber-line bg-amber-soft', icon: 'text-amber-ink', Icon: TriangleAlert },
  info: { box: 'border-line bg-surface', icon: 'text-dim', Icon: Info },
} as const;

interface NoticeProps {
  tone: keyof typeof TONES;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** Shows a sentence with an action. Screen readers announce errors immediately. */
export function Notice({ tone, title, children, actions, className }: NoticeProps) {
  const { box, icon, Icon } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cn('flex gap-2.5 rounded-md border p-3 text-sm', box, className)}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', icon)} />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="font-medium wrap-anywhere">{title}</p>
        {children && <div className="grid gap-1.5 text-dim wrap-anywhere">{children}</div>}
        {actions && <div className="flex flex-wrap gap-2 pt-0.5">{actions}</div>}
      </div>
    </div>
  );
}
