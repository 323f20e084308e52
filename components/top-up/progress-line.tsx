import { cn } from '@/components/ui/class-names';
import { StepMark, type StepMarkKind } from '@/components/ui/step-mark';
import { paymentWords } from './payment-words';

/** The steps before `reached` are done; `kind` is the state of step `reached`. */
export interface LinePlace {
  reached: number;
  kind: StepMarkKind;
}

export function ProgressLine({
  label,
  steps,
  place: { reached, kind },
}: {
  label: string;
  steps: readonly string[];
  place: LinePlace;
}) {
  return (
    <ol aria-label={label} className="flex text-sm max-sm:text-xs">
      {steps.map((step, index) => (
        <li
          key={index}
          className="grid min-w-0 flex-1 content-start gap-1 last:flex-none"
          aria-current={index === reached && (kind === 'active' || kind === 'next') ? 'step' : undefined}
        >
          <span className="flex items-center gap-1.5 pr-1.5">
            <StepMark kind={index < reached ? 'done' : index > reached ? 'waiting' : kind} />
            {index < steps.length - 1 && (
              <span
                aria-hidden
                className={cn('mt-0.5 h-0.5 flex-1 rounded-full', index < reached ? 'bg-good' : 'bg-edge')}
              />
            )}
          </span>
          <span className={cn('pr-1.5', index > reached ? 'text-dim' : 'font-medium')}>
            {step}
            {index < reached && <span className="sr-only">{paymentWords.line.isDone}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
