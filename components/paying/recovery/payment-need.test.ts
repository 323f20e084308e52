import { describe, expect, it } from 'vitest';
import { readPaymentNeed } from './failure-words';

describe('what a 402 asks for', () => {
  it('is read from what a wallet is told, and from what a key is told', () => {
    const amounts = { currentBalanceUsd: 0.000014, minimumBalanceUsd: 1.5 };
    const need = { currentUsd: 0.000014, costUsd: 1.5 };
    expect(
      readPaymentNeed(JSON.stringify({ code: 'PAYMENT_REQUIRED', reason: 'insufficient_balance', ...amounts })),
    ).toEqual(need);
    expect(readPaymentNeed(JSON.stringify({ code: 'INSUFFICIENT_BALANCE', ...amounts }))).toEqual(need);
  });

  it('is not made up where the body does not say', () => {
    expect(readPaymentNeed('{"reason":"insufficient_balance"}')).toEqual({ currentUsd: null, costUsd: null });
    expect(readPaymentNeed('{"reason":"insufficient_balance","currentBalanceUsd":"1","minimumBalanceUsd":-1}')).toEqual(
      { currentUsd: null, costUsd: null },
    );
    for (const body of ['', '<html>', 'null', '{"x402Version":2}', '[]']) expect(readPaymentNeed(body)).toBeNull();
  });
});
