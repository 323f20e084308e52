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

/** @param number shown in the circle until the step begins */
export function StepMark({ kind, number }: { kind: StepMarkKind; number?: number }) {
  const { Icon, look } = MARKS[kind];
  if (number === undefined) return <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />;
  return (
    <span
      aria-hidden
      className={`grid size-5 shrink-0 place-items-center rounded-full border border-current text-xs ${look}`}
    >
      {kind === 'waiting' || kind === 'next' ? number : <Icon className="size-3" />}
    </span>
  );
}
