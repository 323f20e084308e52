import { StepMark, type StepMarkKind } from '@/components/ui/step-mark';
import type { PayRail } from '@/lib/browser/wallet/pay-rails';
import type { PayState } from './use-pay';
import { topUpWords } from './words';

const STEPS = ['review', 'signature', 'settlement', 'credit'] as const;
type Step = (typeof STEPS)[number];

const words = topUpWords.steps;

export function PaySteps({ state, rail }: { state: PayState; rail: Pick<PayRail, 'family' | 'symbol' | 'title'> }) {
  const at = beforeSending(state);
  const isEvm = rail.family === 'evm';
  const purposes: Record<Step, string> = {
    review: words.review,
    signature: isEvm ? words.signatureEvm : words.signatureSolana,
    settlement: words.settlement(rail.title),
    credit: words.credit(rail.symbol),
  };
  return (
    <ol aria-label={words.label} className="grid content-start gap-3">
      {STEPS.map((step, index) => (
        <li
          key={step}
          className="flex gap-2.5 text-sm"
          aria-current={at.step === step && (at.kind === 'active' || at.kind === 'next') ? 'step' : undefined}
        >
          <StepMark kind={markOf(step, at)} />
          <div className="grid gap-0.5">
            <p className="font-medium">
              {index + 1}. {words.names[step]}{' '}
              {step === 'signature' && state.step === 'asking' && (
                <span className="font-normal text-dim">{words.lookAtWallet}</span>
              )}
            </p>
            <p className="text-xs text-dim">{purposes[step]}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

interface Place {
  step: Step;
  kind: StepMarkKind;
}

function beforeSending(state: PayState): Place {
  switch (state.step) {
    case 'form':
      return { step: 'review', kind: 'waiting' };
    case 'drafting':
      return { step: 'review', kind: 'active' };
    case 'review':
      return { step: 'review', kind: 'next' };
    case 'asking':
      return { step: 'signature', kind: 'active' };
    case 'failed':
      return { step: state.at === 'draft' ? 'review' : 'signature', kind: 'failed' };
  }
}

function markOf(step: Step, at: Place): StepMarkKind {
  const [here, reached] = [STEPS.indexOf(step), STEPS.indexOf(at.step)];
  if (here < reached) return 'done';
  return here > reached ? 'waiting' : at.kind;
}

/** Layout of the form, with the steps in the second column. */
export const TWO_COLUMNS =
  'grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8';
