import { describe, expect, it } from 'vitest';
import { holdsKey, ownCharges, stepsOf } from './next-step';
import { overviewWords } from './words';

describe('the first steps', () => {
  it('begin with a wallet where there is no money at hand, and with a call where there is', () => {
    expect(stepsOf('live')[0]).toBe('wallet');
    expect(stepsOf('sandbox')[0]).toBe('call');
  });

  it.each([
    ['demo', 0],
    ['own', 1],
    ['wallet', 1],
    ['signed-out', 1],
  ] as const)('are ticked by charges of a person, not of the key that all share: %s', (payer, count) => {
    expect(ownCharges(payer, ['rpc/base'])).toHaveLength(count);
  });

  it('name the chains on which the gateway takes payments', () => {
    expect(overviewWords.steps.topUpOn(['Polygon'])).toBe('From 5 USDC, on Polygon.');
    expect(overviewWords.steps.topUpOn(['Base', 'Polygon', 'Solana'])).toBe('From 5 USDC, on Base, Polygon or Solana.');
  });

  it('count no key that the gateway does not take', () => {
    expect(holdsKey('own', false, 0)).toBe(false);
    expect(holdsKey('own', true, 0)).toBe(true);
    expect(holdsKey('wallet', true, 0)).toBe(false);
    expect(holdsKey('wallet', true, 1)).toBe(true);
  });

  it.each(['live', 'sandbox'] as const)('name a private chat and topping up, each before a key: %s', (profile) => {
    const steps = stepsOf(profile);
    for (const step of ['top-up', 'chat'] as const) {
      expect(steps.indexOf(step)).toBeGreaterThan(-1);
      expect(steps.indexOf(step)).toBeLessThan(steps.indexOf('key'));
    }
    expect(steps.map((step) => overviewWords.steps[step].name)).not.toContain('');
  });
});
