import type { LinePlace } from './progress-line';
import type { PaymentProgress } from './tracked-payments';
import { paymentWords } from './payment-words';

const [SUBMITTED, CONFIRMED, CREDITED, ALL] = [1, 2, 3, 4];

export function paymentPlaceOf(progress: PaymentProgress): LinePlace {
  switch (progress.status) {
    case 'sending':
      return { reached: SUBMITTED, kind: 'active' };
    case 'pending':
      return { reached: pendingStep(progress.outcome.stage), kind: 'active' };
    case 'credited':
      return { reached: ALL, kind: 'done' };
    case 'refused':
    case 'stopped':
      return { reached: SUBMITTED, kind: 'failed' };
  }
}

function pendingStep(stage: Extract<PaymentProgress, { status: 'pending' }>['outcome']['stage']): number {
  if (stage === 'settled') return CREDITED;
  return stage === 'submitted' ? CONFIRMED : SUBMITTED;
}

/** Returns the steps' names, such as "Confirmed 3 of 8". */
export function paymentSteps(progress: PaymentProgress): readonly string[] {
  const { signed, submitted, confirmed, credited } = paymentWords.line;
  const waitingFor = progress.status === 'pending' ? (progress.outcome.waitingFor ?? '') : '';
  const [, blocks, needed] = /\b(\d+) of (\d+) blocks\b/.exec(waitingFor) ?? [];
  return [signed, submitted, blocks === undefined ? confirmed : `${confirmed} ${blocks} of ${needed}`, credited];
}
