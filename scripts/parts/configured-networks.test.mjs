import { expect, test } from 'vitest';

import { readCheck } from './configured-networks.mjs';

test('networks with an upstream are told from those without, sorted', () => {
  const text = JSON.stringify({
    ok: true,
    upstreams: { 'linea-mainnet': 0, 'ethereum-mainnet': 2, 'base-mainnet': 1 },
  });
  expect(readCheck(text)).toEqual({ given: ['base-mainnet', 'ethereum-mainnet'], missing: ['linea-mainnet'] });
});
