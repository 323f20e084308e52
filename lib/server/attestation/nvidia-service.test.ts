import { describe, expect, it } from 'vitest';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { serve } from '@/test/test-gateway';
import { ServiceFailed } from './bounded-fetch';
import { NvidiaService } from './nvidia-service';

const nonce = 'ab'.repeat(32);
const payloadOf = (change: object = {}) =>
  JSON.stringify({ nonce, arch: 'HOPPER', evidence_list: [{ certificate: 'c', evidence: 'e', more: 1 }], ...change });
const tokenOf = (kid: string) => `${Buffer.from(JSON.stringify({ alg: 'ES384', kid })).toString('base64url')}.e30.AA`;
const bundleOf = (kid: string) => [['JWT', tokenOf(kid)], { 'GPU-0': tokenOf(kid) }];
const keyOf = (kid: string) => ({ kid, kty: 'EC', crv: 'P-384', x: 'x', y: 'y', x5c: ['c'] });

interface Said {
  verdict: unknown;
  keys: unknown;
}
async function nvidia(said: Partial<Said> = {}) {
  const service: Said = { verdict: bundleOf('one'), keys: { keys: [keyOf('one'), keyOf('other')] }, ...said };
  const asked: { path: string; body: string }[] = [];
  const { origin } = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({ path: `${request.method} ${request.url}`, body });
      const answer = request.method === 'POST' ? service.verdict : service.keys;
      if (typeof answer === 'number') response.writeHead(answer).end();
      else if (answer !== undefined) response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  const clock = { nowMs: Date.UTC(2026, 10, 1) };
  return {
    service,
    asked,
    clock,
    nvidia: new NvidiaService(origin, 500, () => clock.nowMs),
    paths: () => asked.map(({ path }) => path),
  };
}

describe('NVIDIA’s attestation service', () => {
  it('is asked with the evidence and nothing beside it, and its answer is handed on with the keys that it names', async () => {
    const { nvidia: service, asked, paths } = await nvidia();
    expect(await service.verdictOn(payloadOf({ tenant: 'secret' }))).toEqual({
      verdict: bundleOf('one'),
      keys: { keys: [keyOf('one')] },
    });
    expect(paths()).toEqual(['POST /v3/attest/gpu', 'GET /.well-known/jwks.json']);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      nonce,
      arch: 'HOPPER',
      evidence_list: [{ certificate: 'c', evidence: 'e' }],
    });
  });

  it('is asked once about the same evidence, for five minutes', async () => {
    const { nvidia: service, clock, paths } = await nvidia();
    await Promise.all([service.verdictOn(payloadOf()), service.verdictOn(payloadOf())]);
    await service.verdictOn(payloadOf());
    await service.verdictOn(payloadOf({ nonce: 'cd'.repeat(32) }));
    clock.nowMs += 301_000;
    await service.verdictOn(payloadOf());
    expect(paths().filter((path) => path.startsWith('POST'))).toHaveLength(3);
  });

  it('is asked for a key that is new, twice a minute at most', async () => {
    const { nvidia: service, service: said, clock, paths } = await nvidia();
    await service.verdictOn(payloadOf());
    said.verdict = bundleOf('two');
    const keysAfter = async (number: number) =>
      (await service.verdictOn(payloadOf({ nonce: String(number).repeat(64) }))).keys.keys;
    expect(await keysAfter(1)).toEqual([]);
    said.keys = { keys: [keyOf('two')] };
    clock.nowMs += 31_000;
    expect(await keysAfter(2)).toEqual([keyOf('two')]);
    expect(paths().filter((path) => path.startsWith('GET'))).toHaveLength(2);
  });

  it('gives its verdict also where its keys do not come', async () => {
    for (const keys of [500, 'x', { keys: 1 }, undefined])
      expect(await (await nvidia({ keys })).nvidia.verdictOn(payloadOf())).toEqual({
        verdict: bundleOf('one'),
        keys: { keys: [] },
      });
  });

  it.each([
    [500],
    [429],
    ['no json'],
    [{}],
    [[]],
    [[['JWT', 'x'], {}]],
    [[['JWT', tokenOf('one')], { 'GPU-0': 1 }]],
    ['"'.padEnd(1_100_000, 'a')],
    [undefined],
  ])('gives none where it answers %j, and is asked again', async (verdict) => {
    const { nvidia: service, service: said } = await nvidia({ verdict });
    await expect(service.verdictOn(payloadOf())).rejects.toThrow(ServiceFailed);
    said.verdict = bundleOf('one');
    expect((await service.verdictOn(payloadOf())).verdict).toEqual(bundleOf('one'));
  });

  it.each([
    '',
    '[]',
    '{}',
    payloadOf({ evidence_list: 'x' }),
    payloadOf({ evidence_list: [{}] }),
    payloadOf({ evidence_list: Array(65).fill({ certificate: 'c', evidence: 'e' }) }),
  ])('is not asked about what is no evidence: %s', async (payload) => {
    const { nvidia: service, asked } = await nvidia();
    expect(() => service.verdictOn(payload)).toThrow(Malformed);
    expect(asked).toEqual([]);
  });
});
