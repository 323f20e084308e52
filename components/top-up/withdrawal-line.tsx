import { StepMark, type StepMarkKind } from '@/components/keys/step-mark';
import type { Withdrawal } from '@/lib/client';
import { withdrawalWords as words } from '@/lib/browser/words/withdrawal';

const STEPS = ['signed', 'submitted', 'confirmed', 'arrived'] as const;

/** Shows how far a withdrawal is: signed, submitted, confirmed, arrived. Null is one without the gateway's answer. */
export function WithdrawalLine({ withdrawal }: { withdrawal: Pick<Withdrawal, 'state' | 'waitingFor'> | null }) {
  const { reached, kind } = placeOf(withdrawal);
  return (
    <ol className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {STEPS.map((step, index) => (
        <li
          key={step}
          className="flex gap-2"
          aria-current={index === reached && kind === 'active' ? 'step' : undefined}
        >
          <StepMark kind={index < reached ? 'done' : index > reached ? 'waiting' : kind} />
          {words.steps[step]}
        </li>
      ))}
    </ol>
  );
}

function placeOf(withdrawal: Pick<Withdrawal, 'state' | 'waitingFor'> | null): { reached: number; kind: StepMarkKind } {
  switch (withdrawal?.state) {
    case undefined:
    case 'debited':
      return { reached: 1, kind: 'active' };
    case 'submitted':
      return { reached: withdrawal?.waitingFor ? 2 : 1, kind: 'active' };
    case 'sent':
      return { reached: STEPS.length, kind: 'done' };
    case 'failed':
      return { reached: 1, kind: 'failed' };
  }
}
