import { describe, expect, it } from 'vitest';
import { paymentAdviceOf, progressSentence, paymentPlaceOf, paymentSteps } from './payment-card';

describe('what to do about a refused payment', () => {
  it('is told by the reason, as this gateway and the schemes word it', () => {
    expect(paymentAdviceOf('amount_too_small').remedy).toBe('change-amount');
    expect(paymentAdviceOf('invalid_exact_evm_insufficient_balance').remedy).toBe('fund');
    expect(paymentAdviceOf('invalid_exact_evm_payload_authorization_valid_before').cure).toContain('before it expires');
    expect(paymentAdviceOf('invalid_exact_evm_signature').remedy).toBe('sign-again');
    expect(paymentAdviceOf('payment_failed').remedy).toBe('sign-again');
  });

  it('is to sign again where nobody knows the reason', () => {
    expect(paymentAdviceOf('something_new').cure).toContain('Nothing was taken');
  });
});

describe('what a payment is doing', () => {
  const pending = { state: 'pending', paymentId: 'p', waitingFor: null, expiresAt: null, retryAfterMs: 1_000 } as const;

  it('is said in the words of the gateway, which knows what it waits for', () => {
    const message = 'The payment is executed. Waiting for Base to confirm it: 1 of 4 blocks.';
    expect(
      progressSentence({
        status: 'pending',
        outcome: { ...pending, stage: 'submitted', message, waitingFor: message },
      }),
    ).toBe(message);
  });

  it('is a place on its line, with the blocks that are counted', () => {
    const message = 'The payment is executed. Waiting for Base to confirm it: 3 of 8 blocks.';
    const at = (stage: 'verified' | 'submitted' | 'settled' | 'unknown', waitingFor: string | null = null) =>
      ({ status: 'pending', outcome: { ...pending, stage, message: '', waitingFor } }) as const;
    expect(paymentSteps(at('submitted', message))).toEqual(['Signed', 'Submitted', 'Confirmed 3 of 8', 'Credited']);
    expect(paymentSteps(at('submitted', 'Waiting for a finalized block.'))[2]).toBe('Confirmed');
    expect([at('verified'), at('unknown'), at('submitted'), at('settled')].map(paymentPlaceOf)).toEqual(
      [1, 1, 2, 3].map((reached) => ({ reached, kind: 'active' })),
    );
    expect(paymentPlaceOf({ status: 'sending' })).toEqual({ reached: 1, kind: 'active' });
    expect(paymentPlaceOf({ status: 'stopped', error: new Error() })).toEqual({ reached: 1, kind: 'failed' });
  });

  it('is not known where the answer was not about the payment', () => {
    expect(
      progressSentence({
        status: 'pending',
        outcome: { ...pending, stage: 'unknown', message: 'The gateway does not answer.' },
      }),
    ).toContain('not known');
  });
});
