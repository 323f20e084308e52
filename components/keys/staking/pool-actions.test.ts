import { describe, expect, it } from 'vitest';
import { approvedAmount, forgetOnceSent, type PoolStep } from './pool-actions';

describe('staking that was left after its first step', () => {
  it.each([
    ['is what was approved and not taken', { allowance: 5n, balance: 8n }, 5n],
    ['may be all that the wallet has', { allowance: 8n, balance: 8n }, 8n],
    ['is nothing where nothing was approved', { allowance: 0n, balance: 8n }, 0n],
    ['is nothing where the wallet has less by now', { allowance: 9n, balance: 8n }, 0n],
    ['is nothing where another program approved without a bound', { allowance: 2n ** 256n - 1n, balance: 8n }, 0n],
  ])('%s', (_, state, amount) => expect(approvedAmount(state)).toBe(amount));
});

describe('an amount that is staked', () => {
  const stepThat = (send: PoolStep['send']): PoolStep => ({ name: 'Stake', purpose: 'Stakes.', send });
  const config = {} as Parameters<PoolStep['send']>[0];

  it('is forgotten once its transaction is sent, before it is in a block', async () => {
    const order: string[] = [];
    const step = forgetOnceSent(
      stepThat(async () => (order.push('sent'), '0x1')),
      () => order.push('forgotten'),
    );
    expect(await step.send(config)).toBe('0x1');
    expect(order).toEqual(['sent', 'forgotten']);
  });

  it('stays where the wallet refuses', async () => {
    let isForgotten = false;
    const step = forgetOnceSent(
      stepThat(async () => Promise.reject(new Error('refused'))),
      () => (isForgotten = true),
    );
    await expect(step.send(config)).rejects.toThrow('refused');
    expect(isForgotten).toBe(false);
  });
});
