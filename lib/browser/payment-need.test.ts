import { describe, expect, it } from 'vitest';
import { readPaymentNeed } from './payment-need';

describe('what a 402 asks for', () => {
  it('is told in dollars', () => {
    const body = { error: 'Payment required', code: 'PAYMENT_REQUIRED', reason: 'insufficient_balance', currentBalanceUsd: 0.000014, minimumBalanceUsd: 1.5 };
    expect(readPaymentNeed(JSON.stringify(body))).toEqual({ currentUsd: '$0.000014', minimumUsd: '$1.50' });
  });

  it('is not made up where the body does not say', () => {
    expect(readPaymentNeed('{"reason":"insufficient_balance"}')).toEqual({ currentUsd: null, minimumUsd: null });
    expect(readPaymentNeed('{"reason":"insufficient_balance","currentBalanceUsd":"1"}')).toEqual({ currentUsd: null, minimumUsd: null });
    for (const body of ['', '<html>', 'null', '{"x402Version":2}', '[]']) expect(readPaymentNeed(body)).toBeNull();
  });
});
