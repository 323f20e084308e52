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
    expect(lines.indexOf('export TURNPIKE_API_KEY=tpk_demo')).toBeGreaterThan(0);
    expect(lines.indexOf('export TURNPIKE_API_KEY=tpk_demo')).toBeLessThan(lines.indexOf(exampleCall(ready)));
  });

  test('names every stand-in', () => {
    const standIns = Array.from({ length: 30 }, (_none, index) => `network-${index}-mainnet`);
    const text = welcome({ ...ready, standIns }, paint);
    for (const name of standIns) expect(text).toContain(name);
    expect(
      Math.max(
        ...text
          .split('\n')
          .filter((line) => line.startsWith('  '))
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(88);
  });

  test('says in the live profile which networks answer, and carries the data folder into the command for a key', () => {
    const live = /** @type {const} */ ({ type: 'ready', url: ready.url, profile: 'live' });
    const text = welcome(live, paint, {
      adminOptions: '--data /srv/data',
      networks: { given: ['base-mainnet'], missing: ['ethereum-mainnet', 'linea-mainnet'] },
    });
    expect(text).toMatch(/npm run admin -- accounts create .* --data \/srv\/data\n/);
    expect(text).toContain('With an upstream (1):\n  base-mainnet');
    expect(text).toContain(
      '2 networks have no upstream and answer 500 until configured, for example with RPC_ETHEREUM_MAINNET=',
    );
    expect(welcome(live, paint, { networks: { given: [], missing: ['base-mainnet'] } })).toContain(
      'No network has an upstream yet.',
    );
  });

  test('says in the live profile how to get a key, and names no stand-in', () => {
    const text = welcome(
      { type: 'ready', url: ready.url, profile: 'live', demoKey: null, exampleNetwork: null, standIns: [] },
      paint,
    );
    expect(text).toContain('npm run admin');
    expect(text).not.toContain('curl');
    expect(text).not.toContain('stand-ins');
  });
});
