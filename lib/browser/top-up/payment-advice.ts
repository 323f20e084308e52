import type { PaymentProgress } from './tracked-payments';

/** What makes the next payment succeed. */
export type PaymentRemedy = 'fund' | 'sign-again' | 'change-amount' | 'other-wallet';

/** What a refusal means and what to do. */
export interface PaymentAdvice {
  cure: string;
  remedy: PaymentRemedy;
}

/** The first whose word is part of the reason holds. */
const ADVICE: readonly (readonly [string, PaymentAdvice])[] = [
  ['insufficient', { cure: 'Nothing was taken. Get more of the token into the wallet, or pay a smaller amount.', remedy: 'fund' }],
  ['amount_too_small', { cure: 'Nothing was taken. Choose a larger amount.', remedy: 'change-amount' }],
  ['amount_too_large', { cure: 'Nothing was taken. Choose a smaller amount.', remedy: 'change-amount' }],
  ['authorization_already_used', { cure: 'By this one nothing was taken. The history below shows whether the payment that came before it was credited; otherwise sign a new one.', remedy: 'sign-again' }],
  ['malleable', { cure: 'Nothing was taken. The wallet signs in a form that tokens refuse: pay with another.', remedy: 'other-wallet' }],
  ['gas_too_high', { cure: 'Nothing was taken. This contract wallet takes more gas than the gateway pays for: pay with another.', remedy: 'other-wallet' }],
  ['factory', { cure: 'Nothing was taken. Deploy the wallet with a transaction of its own, or pay with another.', remedy: 'other-wallet' }],
  ['nonce', { cure: 'By this authorization nothing more is taken. The history below shows whether it was credited before; otherwise sign a new one.', remedy: 'sign-again' }],
  ['valid_before', { cure: 'Nothing was taken, and by this authorization nothing can be. Sign a new one, and confirm it in the wallet before its time is over.', remedy: 'sign-again' }],
  ['valid_after', { cure: 'Nothing was taken. The clock of this device may be ahead: set it right, then sign a new one.', remedy: 'sign-again' }],
  ['signature', { cure: 'Nothing was taken. The wallet may have switched to another account or chain meanwhile: check both, then sign a new one.', remedy: 'sign-again' }],
  ['simulation_failed', { cure: 'Nothing was taken. Check that the wallet holds enough of the token, then sign a new one soon after.', remedy: 'fund' }],
  ['payment_failed', { cure: 'This payment is over and cannot be taken any more. Sign a new one.', remedy: 'sign-again' }],
];

/** What to do about a payment that was refused for good, by the API's reason. */
export function paymentAdviceOf(reason: string): PaymentAdvice {
  return ADVICE.find(([word]) => reason.includes(word))?.[1] ?? { cure: 'Nothing was taken. Sign a new payment.', remedy: 'sign-again' };
}

/** What a payment is doing, as a sentence. */
export function progressSentence(progress: PaymentProgress): string {
  if (progress.status === 'sending') return 'Sent to the gateway, which verifies it, has it executed on chain and waits until the chain has confirmed it.';
  if (progress.status !== 'pending') return '';
  const { stage, message } = progress.outcome;
  return stage === 'unknown' ? 'Not known: no answer has said how far it is.' : message;
}
