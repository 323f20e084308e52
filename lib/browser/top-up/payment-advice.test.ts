import { describe, expect, it } from 'vitest';
import { paymentAdviceOf } from './payment-advice';

describe('what to do about a refused payment', () => {
  it('is told by the reason, as this gateway and the schemes word it', () => {
    expect(paymentAdviceOf('amount_too_small').remedy).toBe('change-amount');
    expect(paymentAdviceOf('invalid_exact_evm_insufficient_balance').remedy).toBe('fund');
    expect(paymentAdviceOf('invalid_exact_evm_payload_authorization_valid_before').cure).toContain('before its time is over');
    expect(paymentAdviceOf('invalid_exact_evm_signature').remedy).toBe('sign-again');
    expect(paymentAdviceOf('payment_failed').remedy).toBe('sign-again');
  });

  it('is to sign again where nobody knows the reason', () => {
    expect(paymentAdviceOf('something_new').cure).toContain('Nothing was taken');
  });
});
