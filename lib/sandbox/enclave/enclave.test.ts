import { readFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { X509Certificate } from 'node:crypto';
import { verifyMessage } from 'viem';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { ExchangeHash, responseSignatureFault } from '@/lib/protocol/tee/response-signature';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationVerdict, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { type EnclaveReport, SimulatedEnclave, type Tampering } from './enclave';
import { generateEnclaveKeys, openEnclaveKeys } from './enclave-keys';
import { NAMES } from './hardware/platform-keys';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const keys = generateEnclaveKeys(nowMs);
const enclave = new SimulatedEnclave(keys, '{"name": "guide"}');
const nonce = new Uint8Array(32).fill(7);
const simulatedRoots = [...DEFAULT_POLICY.roots, configuredRoot(enclave.root, true)];

function verify(report: unknown, roots = simulatedRoots): Promise<AttestationVerdict> {
  return verifyAttestation({
    report,
    expected: { nonce: '07'.repeat(32), model: 'e2ee-guide', needsPublicKey: true },
    policy: { ...DEFAULT_POLICY, roots },
    nowMs,
  });
}
const attest = (tampering?: Tampering): EnclaveReport => enclave.attest('e2ee-guide', nonce, nowMs, tampering);
const failedChecks = (verdict: AttestationVerdict) =>
  verdict.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

describe('the simulated enclave', () => {
  it('is told apart from hardware where its root is configured', async () => {
    const verdict = await verify(attest());
    expect(verdict).toMatchObject({ conclusion: 'simulated', reason: null, key: { address: enclave.address } });
    expect(verdict.key?.publicKey).toEqual(enclave.publicKey);
    expect(failedChecks(verdict)).toEqual([]);
  });

  it('is nowhere said to be Intel’s', async () => {
    const titles = (await verify(attest())).checks.map(({ title }) => title);
    expect(titles.filter((title) => title.includes("Intel's"))).toEqual([]);
    expect(titles).toContain("The quoting enclave is the simulator's, and the processor vouches for it and its key");
  });

  it('is simulated even where its root is configured as if it were hardware', async () => {
    expect((await verify(attest(), [configuredRoot(enclave.root, false)])).conclusion).toBe('simulated');
  });

  it('is simulated even where its workload is pinned', async () => {
    const { measurements } = await verify(attest());
    const { composeHash, mrTd, rtMr0, rtMr1, rtMr2 } = measurements as Record<
      'composeHash' | 'mrTd' | 'rtMr0' | 'rtMr1' | 'rtMr2',
      string
    >;
    const policy = {
      ...DEFAULT_POLICY,
      roots: simulatedRoots,
      pinnedWorkloads: [{ name: 'guide', composeHash, mrTd, rtMr0, rtMr1, rtMr2 }],
    };
    const verdict = await verifyAttestation({
      report: attest(),
      expected: { nonce: '07'.repeat(32), model: null, needsPublicKey: false },
      policy,
      nowMs,
    });
    expect(verdict).toMatchObject({ conclusion: 'simulated', workload: 'guide' });
  });

  it('fails under the pinned root alone', async () => {
    const verdict = await verify(attest(), [...DEFAULT_POLICY.roots]);
    expect(verdict).toMatchObject({ conclusion: 'failed', reason: 'TEE attestation verification failed', key: null });
    expect(failedChecks(verdict)).toContain('certificate-chain');
  });

  it('fails under the root of another install', async () => {
    expect(
      await verify(attest(), [configuredRoot(generateEnclaveKeys(nowMs).platform.certificates.root, true)]),
    ).toMatchObject({ conclusion: 'failed', key: null });
  });

  it.each([
    ['wrong-key', 'TEE attestation verification failed', 'signing-key'],
    ['wrong-nonce', 'Attestation nonce mismatch', 'nonce'],
    ['debug', 'TDX debug mode detected', 'debug-off'],
  ] as const)('with %s fails as "%s", and only there', async (tampering, reason, check) => {
    const verdict = await verify(attest(tampering));
    expect(verdict).toMatchObject({ conclusion: 'failed', reason, key: null });
    expect(failedChecks(verdict)).toEqual([check]);
  });

  it('says SIMULATED in the subject and issuer of every certificate, in words that other software reads', () => {
    for (const [name, der] of Object.entries(keys.platform.certificates)) {
      const certificate = new X509Certificate(der);
      expect(certificate.subject).toContain(NAMES[name as keyof typeof NAMES]);
      for (const text of [certificate.subject, certificate.issuer]) {
        for (const part of text.split('\n').filter((line) => !line.startsWith('C=')))
          expect(part).toMatch(/=SIMULATED/);
      }
    }
  });

  it('has certificates that node:crypto verifies', () => {
    const { root, platformAuthority, processor, documentSigner } = Object.fromEntries(
      Object.entries(keys.platform.certificates).map(([name, der]) => [name, new X509Certificate(der)]),
    ) as Record<keyof typeof NAMES, X509Certificate>;
    expect([
      root.verify(root.publicKey),
      platformAuthority.verify(root.publicKey),
      documentSigner.verify(root.publicKey),
      processor.verify(platformAuthority.publicKey),
    ]).toEqual([true, true, true, true]);
    expect([root.ca, platformAuthority.ca, documentSigner.ca, processor.ca]).toEqual([true, true, false, false]);
    expect(processor.checkIssued(platformAuthority)).toBe(true);
  });

  it('signs an exchange as wallets would', async () => {
    const request = new ExchangeHash().update(Buffer.from('request')).hex();
    const response = new ExchangeHash()
      .update(Buffer.from('data: a\n\n'))
      .update(Buffer.from('data: [DONE]\n\n'))
      .hex();
    const text = `${request}:${response}`;
    const signature = enclave.sign(text);
    expect(
      responseSignatureFault(
        { text, signature },
        { model: 'e2ee-guide', requestHash: request, responseHash: response, address: enclave.address },
      ),
    ).toBeNull();
    expect(
      await verifyMessage({
        address: enclave.address as `0x${string}`,
        message: text,
        signature: signature as `0x${string}`,
      }),
    ).toBe(true);
  });

  it('issues collateral anew when it has become old, and not before', () => {
    const first = enclave.collateral(nowMs);
    expect(enclave.collateral(nowMs + 3_600_000)).toBe(first);
    expect(enclave.collateral(nowMs + 13 * 3_600_000)).not.toBe(first);
  });
});

describe('the keys of a simulated enclave', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'enclave-keys-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('stay the same from start to start, and are their owner’s alone', async () => {
    const [first, second] = [openEnclaveKeys(folder, nowMs), openEnclaveKeys(folder, nowMs + 1)];
    expect(second.signingSecret).toEqual(first.signingSecret);
    expect(second.platform.certificates.root).toEqual(first.platform.certificates.root);
    expect(statSync(path.join(folder, 'enclave-keys.json')).mode & 0o777).toBe(0o600);
    const again = new SimulatedEnclave(second, '{}');
    expect(
      (await verify(again.attest('e2ee-guide', nonce, nowMs), [configuredRoot(first.platform.certificates.root, true)]))
        .conclusion,
    ).toBe('simulated');
  });

  it('differ from install to install', () => {
    expect(generateEnclaveKeys(nowMs).platform.certificates.root).not.toEqual(
      generateEnclaveKeys(nowMs).platform.certificates.root,
    );
  });

  it('are never replaced where they cannot be read', () => {
    const file = path.join(folder, 'enclave-keys.json');
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, 100));
    expect(() => openEnclaveKeys(folder, nowMs)).toThrow();
    expect(readFileSync(file)).toEqual(whole.subarray(0, 100));
  });
});
