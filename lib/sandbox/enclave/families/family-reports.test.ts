import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { recipientKeyOf } from '@/lib/protocol/attestation/recipient-key';
import { changesBetween, knownReport } from '@/lib/protocol/attestation/report-changes';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import { verifyServedReport } from '@/lib/protocol/attestation/served-report';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { FAILURE_REASONS } from '@/lib/protocol/tee/verify-attestation';
import { configuredRoot, type TrustedRoot } from '@/lib/protocol/tee/trusted-roots';
import { SimulatedEnclave, TAMPERINGS } from '../enclave';
import { generateEnclaveKeys } from '../enclave-keys';
import { FamilyReports, type SimulatedFamily } from './family-reports';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.now();
const enclave = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{"name":"simulated"}');
const reports = new FamilyReports(enclave);
const nonce = Buffer.alloc(32, 7);
const policy = { ...DEFAULT_POLICY, roots: [...DEFAULT_POLICY.roots, configuredRoot(enclave.root, true)] };
const FAMILIES: readonly SimulatedFamily[] = ['near-cloud', 'near-ed25519', 'chutes', 'phala-cloud', 'tinfoil'];

const attest = (family: SimulatedFamily, tampering?: (typeof TAMPERINGS)[number]) =>
  reports.attest(family, { model: 'simulated-guide', nonce, nowMs, tampering });
const verify = (
  answers: unknown,
  { asked = nonce, roots = policy.roots }: { asked?: Buffer; roots?: readonly TrustedRoot[] } = {},
) =>
  verifyServedReport({
    report: { provider_answers: answers, provider_endorsements: null },
    expected: { nonce: asked.toString('hex'), model: 'simulated-guide', needsPublicKey: false },
    policy: { ...policy, roots },
    nowMs,
  });
const served = (answer: string) => [answer];

describe.each(FAMILIES)('the sandbox in the shape of %s', (family) => {
  it('is simulated as a gateway serves it, and the same at the next report', async () => {
    const [first, second] = [await verify(served(attest(family))), await verify(served(attest(family)))];
    expect({ family: first.family, conclusion: first.conclusion, reason: first.reason }).toEqual({
      family,
      conclusion: 'simulated',
      reason: null,
    });
    const [before, now] = [knownReport(first), knownReport(second)];
    expect(before && now && changesBetween(before, now)).toEqual([]);
  });

  it('fails where only the roots of real hardware are trusted, and for another nonce', async () => {
    expect((await verify(served(attest(family)), { roots: DEFAULT_POLICY.roots })).conclusion).toBe('failed');
    expect(await verify(served(attest(family)), { asked: Buffer.alloc(32, 8) })).toMatchObject({
      conclusion: 'failed',
      key: null,
    });
  });

  it.each(TAMPERINGS)('fails when it is falsified (%s)', async (tampering) => {
    expect((await verify(served(attest(family, tampering)))).conclusion).toBe('failed');
  });
});

describe('the chain of two enclaves', () => {
  it('holds the key of secp256k1 that content is encrypted to, and a hop for each enclave', async () => {
    const { key, enclaves, family } = await verify(served(attest('near-cloud')));
    expect(key?.address).toBe(enclave.address);
    const hops = hopsOf({
      client: 'page',
      gateway: null,
      provider: null,
      isAttested: true,
      encryption: 'secp256k1',
      family,
      enclaves,
    });
    expect(hops.map(({ kind, reads, standing }) => [kind, reads, standing])).toEqual([
      ['client', 'content', 'claim'],
      ['gateway', 'metadata', 'simulated'],
      ['provider', 'metadata', 'simulated'],
      ['router', 'metadata', 'simulated'],
      ['model', 'content', 'simulated'],
      ['gpu', 'content', 'claim'],
    ]);
  });

  it('says what failed in the words of the specification', async () => {
    expect((await verify(served(attest('near-cloud', 'wrong-nonce')))).reason).toBe(FAILURE_REASONS.NONCE);
    expect((await verify(served(attest('near-cloud', 'debug')))).reason).toBe(FAILURE_REASONS.DEBUG);
    expect((await verify(served(attest('near-cloud', 'wrong-key')))).reason).toBe(FAILURE_REASONS.VERIFICATION);
  });

  it('is another after its key was changed, and the difference is that key', async () => {
    const rotated = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{}');
    const own = { ...policy, roots: [configuredRoot(rotated.root, true)] };
    const made = new FamilyReports(rotated);
    const look = async () => {
      const answer = made.attest('near-cloud', { model: 'm', nonce, nowMs, tampering: undefined });
      return (
        knownReport(
          await verifyServedReport({
            report: { provider_answers: served(answer) },
            expected: { nonce: nonce.toString('hex'), model: 'm', needsPublicKey: true },
            policy: own,
            nowMs,
          }),
        ) ?? { enclaves: [] }
      );
    };
    const before = await look();
    rotated.rotateKey();
    expect(changesBetween(before, await look()).map(({ role, what, name }) => [role, what, name])).toEqual([
      ['model', 'key', 'signature'],
      ['model', 'key', 'encryption'],
    ]);
  });
});

describe('the document of Tinfoil’s form', () => {
  it('speaks for the key that whole bodies are encrypted to, and shows who reads: the router by proof, what is behind it by nobody’s', async () => {
    const verdict = await verify(served(attest('tinfoil')));
    expect(recipientKeyOf(verdict)).toMatchObject({ algorithm: 'x25519-hpke', publicKey: enclave.hpkeKeys.publicKey });
    const hops = hopsOf({
      client: 'page',
      gateway: null,
      provider: null,
      isAttested: true,
      encryption: 'x25519-hpke',
      family: verdict.family,
      enclaves: verdict.enclaves,
    });
    expect(hops.map(({ kind, reads, standing }) => [kind, reads, standing])).toEqual([
      ['client', 'content', 'claim'],
      ['gateway', 'metadata', 'simulated'],
      ['provider', 'metadata', 'simulated'],
      ['router', 'content', 'simulated'],
      ['model', 'content', 'claim'],
      ['gpu', 'content', 'claim'],
    ]);
    expect(verdict.measurements).toMatchObject({ mrTd: expect.stringMatching(/^[0-9a-f]{96}$/) as unknown });
  });

  it('holds for no other key than the hardware signed, though the rest of it is as it was', async () => {
    const swapped = attest('tinfoil').replace(bytesToHex(enclave.hpkeKeys.publicKey), 'b2'.repeat(32));
    const { conclusion, enclaves } = await verify(served(swapped));
    expect({ conclusion, keys: enclaves[0]?.keys }).toEqual({ conclusion: 'failed', keys: [] });
    expect(recipientKeyOf(await verify(served(swapped)))).toBeNull();
  });
});

describe('answers that a gateway hands on', () => {
  it.each<[string, unknown]>([
    ['none', []],
    ['no JSON', ['{']],
    ['no object', ['[1]']],
    ['no text', [{ intel_quote: '00' }]],
    ['no list', 'text'],
    ['too many', Array(9).fill('{}')],
    ['an answer that calls itself verified', ['{"verified":true,"verdict":"verified","enclaves":[]}']],
    ['one that is too deep', [`{"intel_quote":"00","x":${'['.repeat(70)}${']'.repeat(70)}}`]],
  ])('are never good with %s', async (_, answers) => {
    const { conclusion, key, enclaves } = await verify(answers);
    expect(['failed', 'not-checkable']).toContain(conclusion);
    expect({ key, enclaves }).toEqual({ key: null, enclaves: [] });
  });
});
