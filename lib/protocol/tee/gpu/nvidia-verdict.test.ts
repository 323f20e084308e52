import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { type AttestationReport, readAttestationReport } from '../attestation-report';
import { CheckList } from '../check-list';
import type { NvidiaKey } from '../policy';
import { checkGpu } from './nvidia-verdict';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const nonce = 'ab'.repeat(32);
const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true });
const key = { ...(await exportJWK(publicKey)), kid: 'nv-1' } as NvidiaKey;
const payload = JSON.stringify({ nonce, arch: 'HOPPER', evidence_list: [{ certificate: 'c', evidence: 'e' }] });

const claims = {
  iss: 'https://nras.attestation.nvidia.com',
  exp: nowMs / 1_000 + 600,
  nbf: nowMs / 1_000 - 10,
  eat_nonce: nonce,
  'x-nvidia-overall-att-result': true,
};
const sign = (change: Record<string, unknown> = {}, header = { alg: 'ES384', kid: 'nv-1' }, signer = privateKey) =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader(header).sign(signer);
const token = await sign();

async function check(
  change: Record<string, unknown> = {},
  options: { keys?: NvidiaKey[]; nonce?: string | null } = {},
) {
  const report: AttestationReport = readAttestationReport({
    nvidia_payload: payload,
    nvidia_verdict: token,
    ...change,
  });
  const list = new CheckList();
  await list.make('gpu', 'GPU', () =>
    checkGpu(
      report,
      options.nonce === undefined ? nonce : options.nonce,
      { nvidiaKeys: options.keys ?? [key], nvidiaAuthorities: [] },
      nowMs,
    ),
  );
  return list.checks[0];
}

describe('NVIDIA’s verdict on the GPUs', () => {
  it('passes where it is signed by a pinned key, for this nonce and now', async () => {
    expect(await check()).toMatchObject({ outcome: 'passed', evidence: { arch: 'HOPPER', gpus: 1, result: true } });
    expect((await check({ nvidia_verdict: [['JWT', token]] }))?.outcome).toBe('passed');
    expect((await check({ nvidia_verdict: [['JWT', token], {}] }))?.outcome).toBe('passed');
    expect((await check({ nvidia_payload: JSON.parse(payload) as unknown }))?.outcome).toBe('passed');
  });

  it.each([
    ['no evidence', { nvidia_payload: null }, {}, 'no GPU evidence'],
    ['no verdict', { nvidia_verdict: null }, {}, 'no signed verdict'],
    ['an error instead of a verdict', { nvidia_verdict: { error: 'busy' } }, {}, 'no signed verdict'],
    ['no pinned key', {}, { keys: [] }, 'No key'],
    ['no nonce', {}, { nonce: null }, 'no nonce was given'],
  ])('is not checkable with %s', async (_, change, options, reason) => {
    expect(await check(change, options)).toMatchObject({
      outcome: 'not-checkable',
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ['expired', { exp: nowMs / 1_000 - 61 }],
    ['without an end', { exp: undefined }],
    ['of the future', { nbf: nowMs / 1_000 + 61 }],
    ['of another nonce', { eat_nonce: 'cd'.repeat(32) }],
    ['of no nonce', { eat_nonce: undefined }],
    ['by another issuer', { iss: 'https://nras.attestation.nvidia.com.example' }],
    ['that is negative', { 'x-nvidia-overall-att-result': false }],
    ['that only says "true"', { 'x-nvidia-overall-att-result': 'true' }],
  ])('fails with a verdict %s', async (_, change) => {
    expect((await check({ nvidia_verdict: await sign(change) }))?.outcome).toBe('failed');
  });

  it('fails with a verdict by a key that is not pinned, under the same or another id', async () => {
    const stranger = (await generateKeyPair('ES384')).privateKey;
    expect(await check({ nvidia_verdict: await sign({}, undefined, stranger) })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('is not valid'),
    });
    expect(await check({ nvidia_verdict: await sign({}, { alg: 'ES384', kid: 'nv-2' }, stranger) })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('not pinned'),
    });
  });

  it('fails with another algorithm, "none" above all', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'HS384', 'ES256'])
      expect(
        (await check({ nvidia_verdict: `${part({ alg, kid: 'nv-1' })}.${part(claims)}.${token.split('.')[2]}` }))
          ?.outcome,
      ).toBe('failed');
    expect((await check({ nvidia_verdict: `${part({ alg: 'none' })}.${part(claims)}.` }))?.outcome).toBe('failed');
  });

  it('fails with a touched token', async () => {
    const [header, body, signature] = token.split('.') as [string, string, string];
    for (const touched of [
      `${header}.${body}.${signature.slice(2)}`,
      `${header}.${body}x.${signature}`,
      `${header}x.${body}.${signature}`,
      `${header}.${body}`,
      'token',
      `${token}.x`,
    ])
      expect((await check({ nvidia_verdict: touched }))?.outcome).toBe('failed');
  });

  it('fails with evidence of another nonce, or evidence that cannot be read', async () => {
    expect(
      (await check({ nvidia_payload: JSON.stringify({ nonce: 'cd'.repeat(32), evidence_list: [] }) }))?.outcome,
    ).toBe('failed');
    expect((await check({ nvidia_payload: 'evidence' }))?.outcome).toBe('failed');
  });
});
