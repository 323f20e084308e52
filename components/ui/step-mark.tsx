import { Check, Circle, CircleAlert, CircleDot, LoaderCircle, Minus } from 'lucide-react';

export type StepMarkKind = 'waiting' | 'next' | 'active' | 'done' | 'skipped' | 'failed';

const MARKS = {
  waiting: { Icon: Circle, look: 'text-faint' },
  next: { Icon: CircleDot, look: 'text-amber-ink' },
  active: { Icon: LoaderCircle, look: 'text-amber-ink motion-safe:animate-spin' },
  done: { Icon: Check, look: 'text-good' },
  skipped: { Icon: Minus, look: 'text-faint' },
  failed: { Icon: CircleAlert, look: 'text-bad' },
} as const;

export function StepMark({ kind }: { kind: StepMarkKind }) {
  const { Icon, look } = MARKS[kind];
  return <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />;
}
