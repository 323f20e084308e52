import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Attack, held, notHeld } from './attack';
import { renderSummary } from './report';
import { runAttacks } from './run';
import { openRunning } from './running';
import type { Target } from './target';

const attack = (change: Partial<Attack> = {}): Attack => ({
  id: 'an-attack',
  title: 'Something',
  needs: [],
  isQuick: true,
  run: () => Promise.resolve(held('it held')),
  ...change,
});

async function gateway(status = 200): Promise<Target> {
  const server = createServer((_request, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    name: 'a gateway',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    profile: 'live',
    key: null,
    chains: null,
    own: null,
  };
}

async function outcomeOf(one: Attack, target: Target) {
  const [outcome] = await runAttacks([one], target, () => undefined);
  return outcome;
}

describe('what came of an attack', () => {
  test('is what it says where the gateway still answers', async () => {
    expect(await outcomeOf(attack(), await gateway())).toMatchObject({ outcome: 'held', evidence: 'it held' });
    expect(
      await outcomeOf(attack({ run: () => Promise.resolve(notHeld('in two\n lines')) }), await gateway()),
    ).toMatchObject({ outcome: 'not held', evidence: 'in two lines' });
  });

  test('is not held where it broke off: nothing was shown', async () => {
    expect(
      await outcomeOf(attack({ run: () => Promise.reject(new Error('no chain')) }), await gateway()),
    ).toMatchObject({ outcome: 'not held', evidence: expect.stringContaining('no chain') });
  });

  test('is not held where the gateway answers no longer, whatever the attack made of it', async () => {
    expect(await outcomeOf(attack(), await gateway(503))).toMatchObject({
      outcome: 'not held',
      evidence: expect.stringContaining('no longer answers'),
    });
    expect(await outcomeOf(attack(), { ...(await gateway()), url: 'http://127.0.0.1:9' })).toMatchObject({
      outcome: 'not held',
    });
  });

  test.each([
    'chains',
    'chain control',
    'key',
    'own gateway',
    'live limits',
    'settles itself',
    'remote facilitator',
  ] as const)('is not applicable without %s, and says so', async (need) => {
    const run = () => Promise.reject(new Error('must not run'));
    expect(await outcomeOf(attack({ needs: [need], run }), await gateway())).toMatchObject({
      outcome: 'not applicable',
      evidence: expect.stringMatching(/\S+ \S+/),
    });
  });

  test('is tried of the verifier on the verifier alone', async () => {
    const verifier: Target = { ...(await gateway()), url: '', profile: 'verifier' };
    const list = [attack({ id: 'of-gateways' }), attack({ id: 'of-proofs', needs: ['verifier'] })];
    expect((await runAttacks(list, verifier, () => undefined)).map(({ id }) => id)).toEqual(['of-proofs']);
    expect((await runAttacks(list, await gateway(), () => undefined)).map(({ id }) => id)).toEqual(['of-gateways']);
  });

  test('is tried of the client on the client alone, which needs no gateway that answers', async () => {
    const client: Target = { ...(await gateway()), url: '', profile: 'client' };
    const list = [
      attack({ id: 'of-gateways' }),
      attack({ id: 'of-proofs', needs: ['verifier'] }),
      attack({ id: 'of-clients', needs: ['client'], run: () => Promise.resolve(held('it held')) }),
    ];
    expect((await runAttacks(list, client, () => undefined)).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['of-clients', 'not applicable'],
    ]);
    expect((await runAttacks(list, await gateway(), () => undefined)).map(({ id }) => id)).toEqual(['of-gateways']);
  });

  test('is not held where it takes longer than it says', async () => {
    expect(
      await outcomeOf(attack({ timeoutMs: 20, run: () => new Promise(() => undefined) }), await gateway()),
    ).toMatchObject({ outcome: 'not held', evidence: 'it did not end within 0.02 s' });
  });

  test('is counted in the last line', () => {
    expect(
      renderSummary([{ outcome: 'held' }, { outcome: 'held' }, { outcome: 'not held' }, { outcome: 'not applicable' }]),
    ).toEqual({ counts: { held: 2, notHeld: 1, notApplicable: 1 }, line: '2 held, 1 not held, 1 not applicable' });
  });
});

describe('a gateway that runs', () => {
  test.each([
    'http://192.0.2.1:3000',
    'https://gate.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example:3000',
    'http://[2001:db8::1]',
  ])('is not attacked at %s unless its owner says so', async (url) => {
    await expect(openRunning(url, { key: null, isOwned: false })).rejects.toThrow(/Attack only what is yours/);
  });

  test('is refused if the URL is invalid or nothing answers', async () => {
    await expect(openRunning('not a url', { key: null, isOwned: false })).rejects.toThrow(/not the URL/);
    await expect(openRunning('file:///etc/passwd', { key: null, isOwned: true })).rejects.toThrow(/not the URL/);
    await expect(openRunning('http://127.0.0.1:9', { key: null, isOwned: false })).rejects.toThrow(/Nothing answers/);
  });

  test('is seen from outside on this machine', async () => {
    const { url } = await gateway();
    expect((await openRunning(`${url}/path`, { key: 'k', isOwned: false })).targets).toMatchObject([
      { url, profile: 'live', key: 'k', chains: null, own: null },
    ]);
  });
});
