import { expect, test } from 'vitest';
import { cheapestCallOf, wholeUnits } from './money-buys';
import { dollarOfModels, type OfferedModel } from '@/lib/browser/reads/offered-models';

test('ten dollars buy what ten dollars buy, not ten times what one buys in whole units', () => {
  expect(wholeUnits(1_000_000 / 0.6, 1)).toBe(1_666_666);
  expect(wholeUnits(1_000_000 / 0.6, 10)).toBe(16_666_666);
  expect(wholeUnits(1_000_000 / 3.15 / 1000, 10)).toBe(3174);
});

test('no unit is lost to floating point', () => {
  expect(wholeUnits(1 / 0.1, 3)).toBe(30);
  expect(wholeUnits(1 / 0.07, 0.07)).toBe(1);
  expect(wholeUnits(1 / 0.000002, 10)).toBe(5_000_000);
});

test('a dollar of models is told exactly', () => {
  const chat = { kind: 'chat', prices: [{ usd: 0.2 }, { usd: 0.6 }] } as unknown as OfferedModel;
  expect(dollarOfModels([chat])).toEqual({ chatTokens: 1_000_000 / 0.6, speechMinutes: null, videoSeconds: null });
});

test('the price of a call names dearer chains only where they are connected', () => {
  expect(cheapestCallOf(['ethereum-mainnet'])).toEqual({ credits: 20, isSolana: false, dear: [] });
  expect(cheapestCallOf(['ethereum-mainnet', 'solana-devnet', 'zksync-mainnet'])).toEqual({
    credits: 20,
    isSolana: false,
    dear: ['zkSync Era', 'Solana'],
  });
  expect(cheapestCallOf(['solana-mainnet'])).toEqual({ credits: 30, isSolana: true, dear: [] });
});
