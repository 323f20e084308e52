import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Endorsements } from '@/lib/protocol/attestation/enclave';
import { pinsFor } from '@/lib/protocol/attestation/pins';
import { DEFAULT_ENCLAVE_POLICY, type EnclavePolicy } from '@/lib/protocol/attestation/policy';
import { TCB_MINIMA } from '@/lib/protocol/attestation/sev-snp/tcb-version';
import { verifyReport } from '@/lib/protocol/attestation/verify-report';
import { createSnpPlatform } from '../sev-snp/snp-platform';
import { snpEvidence, type TinfoilDocumentRequest, writeTinfoilDocument } from './simulated-tinfoil';

vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 5, 29);
const platform = createSnpPlatform(nowMs);
const nonce = 'a1'.repeat(32);
const hpkeKey = 'b2'.repeat(32);
const write = (change: Partial<TinfoilDocumentRequest> = {}) =>
  writeTinfoilDocument({ evidence: snpEvidence(platform, Buffer.alloc(48, 9)), nonce, hpkeKey, nowMs, ...change });
const NONE: Endorsements = {
  tdxCollateral: [],
  amdCertificates: [platform.vcek],
  amdRevocationLists: [],
  nvidiaVerdicts: [],
  nvidiaKeySets: [],
  nvidiaFault: null,
  sigstoreBundles: [],
  releaseDigests: [],
};
const POLICY: EnclavePolicy = {
  ...DEFAULT_ENCLAVE_POLICY,
  amd: { authorities: [platform.authority], tcbMinima: TCB_MINIMA },
};

async function verify(
  text: string,
  {
    list,
    endorsements = NONE,
    policy = POLICY,
  }: { list?: object; endorsements?: Endorsements; policy?: EnclavePolicy } = {},
) {
  const answers = [
    ...(list === undefined ? [] : [{ json: list as Record<string, unknown>, text: JSON.stringify(list) }]),
    { json: JSON.parse(text) as Record<string, unknown>, text },
  ];
  const verdict = await verifyReport({
    answers: () => answers,
    endorsements,
    expected: { nonce, model: null },
    policy,
    nowMs,
  });
  return {
    ...verdict,
    failed: verdict.enclaves.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    ),
  };
}

const evidences = JSON.stringify({ evidences: [{ arch: 'HOPPER', certificate: 'AA==', evidence: 'AA==', nonce }] });

describe('a document of Tinfoil’s form', () => {
  it('of a simulated guest is simulated, speaks for its keys, and is a router’s where it has no GPU', async () => {
    const { verdict, family, enclaves, failed } = await verify(write());
    expect({ verdict, family, failed }).toEqual({ verdict: 'simulated', family: 'tinfoil', failed: [] });
    expect(enclaves[0]).toMatchObject({
      role: 'router',
      hardware: 'amd-sev-snp',
      keys: [{ algorithm: 'x25519-hpke', value: hpkeKey }, { algorithm: 'tls-spki-sha256' }],
    });
  });

  it('is of the model, by the name, that the list of the router gives its key', async () => {
    const list = {
      models: {
        small: { enclaves: { 'other.example': { hpke_key: 'c3'.repeat(32) } } },
        large: { enclaves: { 'large.example': { hpke_key: hpkeKey } } },
      },
    };
    expect((await verify(write(), { list })).enclaves[0]).toMatchObject({ role: 'model', name: 'large.example' });
  });

  it('never becomes verified under a simulator’s root, by whatever pins', async () => {
    const pinnedWorkloads = pinsFor(await verify(write()));
    expect(pinnedWorkloads).toHaveLength(1);
    expect((await verify(write(), { policy: { ...POLICY, pinnedWorkloads } })).verdict).toBe('simulated');
  });

  it('is not checkable under AMD’s own roots', async () => {
    expect((await verify(write(), { policy: DEFAULT_ENCLAVE_POLICY })).verdict).toBe('not-checkable');
  });

  it.each<[string, () => string, string]>([
    ['another nonce', () => write({ nonce: 'a2'.repeat(32) }), 'nonce'],
    ['another HPKE key', () => write().replace(hpkeKey, 'b3'.repeat(32)), 'signing-key'],
    [
      'a signature by another TLS key',
      () => write().replace(/"certificate":"[^"]+"/, /"certificate":"[^"]+"/.exec(write())?.[0] ?? ''),
      'certificate',
    ],
    ['a space more', () => write().replace('"cpu":', '"cpu": '), 'certificate'],
    ['a line more at its end inside the signed part', () => write().replace(/\}\n$/, ',"more":1}\n'), 'certificate'],
    [
      'GPU evidence that was changed after it was hashed',
      () => write({ gpu: evidences }).replace('"evidence":"AA=="', '"evidence":"AQ=="'),
      'gpu-evidence',
    ],
    [
      'GPU evidence and no hash of it',
      () => write().replace('"certificate":', () => `"gpu":${evidences},"certificate":`),
      'gpu-evidence',
    ],
    [
      'a hash of switches and no evidence of them',
      () => write({ gpu: evidences, switchHash: 'ab'.repeat(32) }),
      'gpu-evidence',
    ],
    ['GPU evidence that no GPU signed', () => write({ gpu: evidences }), 'gpu-evidence'],
    ['a report that is no base64', () => write().replace(/"report":"AwAA/, '"report":"*AAA'), 'quote-format'],
  ])('with %s is refused', async (_, make, id) => {
    const { verdict, failed, enclaves } = await verify(make());
    expect(verdict).toBe('failed');
    expect(failed).toContain(id);
    expect(enclaves.flatMap(({ keys }) => keys)).toEqual([]);
  });

  it.each([
    ['a member twice', () => write().replace('"cpu":', () => `"cpu":{"platform":"tdx"},"cpu":`)],
    ['a fingerprint that is too short', () => write().replace(/"tls_key_fp":"../, '"tls_key_fp":"')],
    ['an invalid hash', () => write({ gpu: evidences }).replace(/"gpu_evidence_hash":"../, '"gpu_evidence_hash":"zz')],
  ])('with %s is refused as a whole', async (_, make) => {
    expect(await verify(make())).toMatchObject({ verdict: 'failed', enclaves: [] });
  });

  it('on hardware that nobody knows is not checkable', async () => {
    expect((await verify(write().replace('"platform":"sev-snp"', '"platform":"other"'))).verdict).not.toBe('verified');
  });

  it('fails with a bundle of a release that nobody vouches for', async () => {
    expect((await verify(write(), { endorsements: { ...NONE, sigstoreBundles: [{}] } })).failed).toEqual(['release']);
    expect(
      (await verify(write(), { endorsements: { ...NONE, sigstoreBundles: Array<object>(17).fill({}) } })).failed,
    ).toEqual(['release']);
  });

  it.each([
    ['hardware', '@/lib/protocol/attestation/sev-snp/verify-sev-snp', 'quote-format', 'not-checkable'],
    ['release', '@/lib/protocol/attestation/sigstore/verify-release', 'release', 'simulated'],
  ])(
    'does not fail, and says so, if the code that checks the %s could not be loaded',
    async (_, path, id, conclusion) => {
      onTestFinished(() => vi.doUnmock(path));
      vi.doMock(path, () => {
        throw new Error('offline');
      });
      const { verdict, failed, enclaves } = await verify(write(), { endorsements: { ...NONE, sigstoreBundles: [{}] } });
      expect({ verdict, failed }).toEqual({ verdict: conclusion, failed: [] });
      expect(enclaves[0]?.checks.find((check) => check.id === id)).toMatchObject({
        outcome: 'not-checkable',
        reason: 'The code for this check could not be loaded.',
      });
    },
  );
});
