import { describe, expect, test } from 'vitest';

import { createProgress } from './progress.mjs';
import { exampleCall, welcome } from './welcome.mjs';

const { paint } = createProgress();
const ready = /** @type {const} */ ({
  type: 'ready',
  url: 'http://localhost:3000',
  profile: 'sandbox',
  demoKey: 'tpk_demo',
  exampleNetwork: 'ethereum-mainnet',
});

describe('the end of a start', () => {
  test('has the address of the console and a call to paste, on one line', () => {
    const lines = welcome({ ...ready, standIns: ['ethereum-mainnet'] }, paint).split('\n');
    expect(lines.some((line) => line.includes('Console') && line.includes(ready.url))).toBe(true);
    expect(lines).toContain(exampleCall(ready));
  });

  test('names every stand-in', () => {
    const standIns = Array.from({ length: 30 }, (_none, index) => `network-${index}-mainnet`);
    const text = welcome({ ...ready, standIns }, paint);
    for (const name of standIns) expect(text).toContain(name);
    expect(Math.max(...text.split('\n').filter((line) => line.startsWith('  ')).map((line) => line.length))).toBeLessThanOrEqual(88);
  });

  test('says in the live profile how to get a key, and names no stand-in', () => {
    const text = welcome({ type: 'ready', url: ready.url, profile: 'live', demoKey: null, exampleNetwork: null, standIns: [] }, paint);
    expect(text).toContain('npm run admin');
    expect(text).not.toContain('curl');
    expect(text).not.toContain('stand-ins');
  });
});
