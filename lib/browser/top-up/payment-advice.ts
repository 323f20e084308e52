import { paymentCureWords as words, paymentProgressWords } from '../words/payment-details';
import type { PaymentProgress } from './tracked-payments';

export type PaymentRemedy = 'fund' | 'sign-again' | 'change-amount' | 'other-wallet';

export interface PaymentAdvice {
  cure: string;
  remedy: PaymentRemedy;
}

/** Advice by a word in the refusal's reason. The first match applies. */
const ADVICE: readonly (readonly [string, PaymentAdvice])[] = [
  ['insufficient', { cure: words.insufficient, remedy: 'fund' }],
  ['amount_too_small', { cure: words.tooSmall, remedy: 'change-amount' }],
  ['amount_too_large', { cure: words.tooLarge, remedy: 'change-amount' }],
  ['authorization_already_used', { cure: words.alreadyUsed, remedy: 'sign-again' }],
  ['malleable', { cure: words.malleable, remedy: 'other-wallet' }],
  ['gas_too_high', { cure: words.gasTooHigh, remedy: 'other-wallet' }],
  ['factory', { cure: words.notDeployed, remedy: 'other-wallet' }],
  ['nonce', { cure: words.nonceUsed, remedy: 'sign-again' }],
  ['valid_before', { cure: words.tooLate, remedy: 'sign-again' }],
  ['valid_after', { cure: words.tooEarly, remedy: 'sign-again' }],
  ['signature', { cure: words.signature, remedy: 'sign-again' }],
  ['simulation_failed', { cure: words.simulationFailed, remedy: 'fund' }],
  ['payment_failed', { cure: words.failed, remedy: 'sign-again' }],
];

/** Returns advice for a payment that the gateway refused permanently, by the API's reason. */
export function paymentAdviceOf(reason: string): PaymentAdvice {
  return ADVICE.find(([word]) => reason.includes(word))?.[1] ?? { cure: words.other, remedy: 'sign-again' };
}

export function progressSentence(progress: PaymentProgress): string {
  if (progress.status === 'sending') return paymentProgressWords.sending;
  if (progress.status !== 'pending') return '';
  const { stage, message } = progress.outcome;
  return stage === 'unknown' ? paymentProgressWords.notKnown : message;
}
