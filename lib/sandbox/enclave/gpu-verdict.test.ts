import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { SimulatedEnclave } from './enclave';
import { generateEnclaveKeys } from './enclave-keys';
import { issueCertificate, pemOf } from './hardware/certificate-authority';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

/** Verifies reports with GPUs under test roots, because NVIDIA's roots sign nothing for tests. */
const nowMs = Date.UTC(2026, 10, 1);
const dayMs = 86_400_000;
const enclave = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{"name": "guide"}');
const nonce = Buffer.alloc(32, 7);
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const certify = (name: string, key: KeyObject, issuer: { name: string; privateKey: KeyObject }, change: object = {}) =>
  issueCertificate({
    subject: { name, publicKey: createPublicKey(key) },
    issuer,
    notBeforeMs: nowMs - dayMs,
    notAfterMs: nowMs + dayMs,
    pathLength: null,
    ...change,
  });

const authority = { name: 'SIMULATED device root', privateKey: pair() };
const root = certify(authority.name, authority.privateKey, authority, { pathLength: 0 });
const service = pair();
const serviceCertificate = certify('SIMULATED attestation service', service, authority);
const trusted = [parseCertificate(root)];

function gpu(name: string, challenge = nonce) {
  const key = pair();
  const signed = Buffer.concat([
    Buffer.from('11e001ff', 'hex'),
    challenge,
    Buffer.from('0011600000010600000101020009ff', 'hex'),
    Buffer.alloc(32),
    Buffer.from('0000', 'hex'),
  ]);
  const evidence = Buffer.concat([signed, sign('sha384', signed, { key, dsaEncoding: 'ieee-p1363' })]);
  return {
    certificate: Buffer.from(pemOf(certify(name, key, authority)) + pemOf(root)).toString('base64'),
    evidence: evidence.toString('base64'),
  };
}

const common = {
  iss: 'https://nras.attestation.nvidia.com',
  exp: nowMs / 1_000 + 3_600,
  nbf: nowMs / 1_000 - 10,
  eat_nonce: nonce.toString('hex'),
};
const token = (claims: object, key = service) =>
  new SignJWT({ ...common, ...claims }).setProtectedHeader({ alg: 'ES384', kid: 'nv' }).sign(key);
const good = { hwmodel: 'GH100', secboot: true, dbgstat: 'disabled', measres: 'success' };

async function verdictOf(gpus: readonly object[]): Promise<unknown[]> {
  const tokens = Object.fromEntries(
    await Promise.all(gpus.map(async (claims, index) => [`GPU-${index}`, await token(claims)] as [string, string])),
  );
  const submods = Object.fromEntries(
    Object.entries(tokens).map(([name, text]) => [
      name,
      ['DIGEST', ['SHA-256', createHash('sha256').update(text).digest('hex')]],
    ]),
  );
  return [['JWT', await token({ 'x-nvidia-overall-att-result': true, submods })], tokens];
}

const payload = {
  nonce: nonce.toString('hex'),
  arch: 'HOPPER',
  evidence_list: [gpu('SIMULATED GPU 0'), gpu('SIMULATED GPU 1')],
};
const keys = { keys: [{ kid: 'nv', kty: 'EC', crv: 'P-384', x5c: [serviceCertificate.toString('base64')] }] };
const honest = {
  nvidia_payload: JSON.stringify(payload),
  nvidia_verdict: await verdictOf([good, good]),
  nvidia_keys: keys,
};

async function verify(change: object = {}) {
  const report = { ...enclave.attest('e2ee-guide', nonce, nowMs), ...honest, ...change };
  const policy = {
    ...DEFAULT_POLICY,
    roots: [configuredRoot(enclave.root, true)],
    nvidiaAuthorities: trusted,
    nvidiaDeviceRoots: trusted,
  };
  const verdict = await verifyAttestation({
    report,
    expected: { nonce: nonce.toString('hex'), model: 'e2ee-guide', needsPublicKey: true },
    policy,
    nowMs,
  });
  const check = (id: string) => verdict.checks.find((each) => each.id === id);
  return { ...verdict, evidence: check('gpu-evidence'), gpu: check('gpu') };
}

describe('a report with GPUs', () => {
  it('passes with genuine evidence and NVIDIA’s word for it', async () => {
    expect(await verify()).toMatchObject({
      conclusion: 'simulated',
      evidence: { outcome: 'passed', evidence: { gpus: 2 } },
      gpu: { outcome: 'passed', evidence: { models: ['GH100'], result: true } },
    });
  });

  const withPem = (change: (pem: Buffer) => Buffer) => ({
    nvidia_payload: JSON.stringify({
      ...payload,
      evidence_list: payload.evidence_list.map(({ certificate, evidence }) => ({
        certificate: change(Buffer.from(certificate, 'base64')).toString('base64'),
        evidence,
      })),
    }),
  });

  it('passes with NUL bytes after each chain of certificates, as devices emit them', async () => {
    for (const count of [1, 5, 1_000])
      expect(await verify(withPem((pem) => Buffer.concat([pem, Buffer.alloc(count)])))).toMatchObject({
        conclusion: 'simulated',
        evidence: { outcome: 'passed' },
      });
  });

  it.each<[string, (pem: Buffer) => Buffer]>([
    ['text after the padding', (pem) => Buffer.concat([pem, Buffer.from('\0\0x')])],
    ['a line end after the padding', (pem) => Buffer.concat([pem, Buffer.from('\0\n')])],
    ['an empty line after the chain', (pem) => Buffer.concat([pem, Buffer.from('\n')])],
    [
      'NUL bytes within the chain',
      (pem) => Buffer.from(pem.toString('latin1').replace('-----\n-----BEGIN', '-----\n\0-----BEGIN'), 'latin1'),
    ],
    ['NUL bytes before the chain', (pem) => Buffer.concat([Buffer.alloc(1), pem])],
    ['a byte order mark before the chain', (pem) => Buffer.concat([Buffer.from('efbbbf', 'hex'), pem])],
    [
      'a foreign certificate between the two',
      (pem) =>
        Buffer.concat([
          pem.subarray(0, pem.indexOf('-----BEGIN', 10)),
          Buffer.from(pemOf(serviceCertificate)),
          pem.subarray(pem.indexOf('-----BEGIN', 10)),
        ]),
    ],
    ['a certificate more after the padding', (pem) => Buffer.concat([pem, Buffer.alloc(5), Buffer.from(pemOf(root))])],
    ['nothing but padding', () => Buffer.alloc(64)],
  ])('fails with %s', async (_, change) => {
    expect(await verify(withPem(change))).toMatchObject({
      conclusion: 'failed',
      key: null,
      evidence: { outcome: 'failed' },
    });
  });

  it('says why NVIDIA has not been heard, which is no failure', async () => {
    const { conclusion, gpu: check } = await verify({
      nvidia_verdict: null,
      nvidia_keys: null,
      nvidia_fault: 'It is away.',
    });
    expect([conclusion, check]).toEqual([
      'simulated',
      expect.objectContaining({ outcome: 'not-checkable', reason: 'NVIDIA returned no verdict: It is away.' }),
    ]);
  });

  it.each([
    [
      'evidence for another nonce than the list names',
      { ...payload, evidence_list: [gpu('SIMULATED GPU 0', Buffer.alloc(32, 8))] },
    ],
    [
      'the signature of another GPU',
      { ...payload, evidence_list: [{ ...payload.evidence_list[0], evidence: payload.evidence_list[1]?.evidence }] },
    ],
  ])('fails with %s', async (_, changed) => {
    expect(await verify({ nvidia_payload: JSON.stringify(changed), nvidia_verdict: null })).toMatchObject({
      conclusion: 'failed',
      key: null,
      evidence: { outcome: 'failed' },
    });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['of fewer GPUs than there is evidence of', () => verdictOf([good])],
    ['of a GPU under debug', () => verdictOf([good, { ...good, dbgstat: 'enabled' }])],
    ['of a GPU without secure boot', () => verdictOf([good, { ...good, secboot: false }])],
    ['of a GPU that measures otherwise', () => verdictOf([good, { ...good, measres: 'fail' }])],
    ['of a GPU for another nonce', () => verdictOf([good, { ...good, eat_nonce: 'cd'.repeat(32) }])],
    [
      'with the token of a GPU of another verdict',
      async () => [
        honest.nvidia_verdict[0],
        { ...(honest.nvidia_verdict[1] as object), 'GPU-1': await token({ ...good, jti: 'x' }) },
      ],
    ],
    [
      'with the token of a GPU missing',
      () =>
        Promise.resolve([
          honest.nvidia_verdict[0],
          { 'GPU-0': (honest.nvidia_verdict[1] as Record<string, string>)['GPU-0'] },
        ]),
    ],
    [
      'with the token of a GPU that it does not name',
      async () => [honest.nvidia_verdict[0], { ...(honest.nvidia_verdict[1] as object), 'GPU-2': await token(good) }],
    ],
    [
      'by another key of the same name',
      async () => [['JWT', await token({ 'x-nvidia-overall-att-result': true }, pair())]],
    ],
  ])('fails with a verdict %s', async (_, make) => {
    expect(await verify({ nvidia_verdict: await make() })).toMatchObject({
      conclusion: 'failed',
      gpu: { outcome: 'failed' },
    });
  });

  it('fails with a key that another authority certified, or that has expired', async () => {
    const stranger = { name: authority.name, privateKey: pair() };
    for (const certificate of [
      certify('SIMULATED attestation service', service, stranger),
      certify('SIMULATED attestation service', service, authority, { notAfterMs: nowMs - 1_000 }),
      certify('SIMULATED attestation service', service, authority, { pathLength: 0 }),
    ]) {
      expect(
        (await verify({ nvidia_keys: { keys: [{ kid: 'nv', x5c: [certificate.toString('base64')] }] } })).gpu?.outcome,
      ).toBe('failed');
    }
  });
});
