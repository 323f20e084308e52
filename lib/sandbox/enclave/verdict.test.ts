import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY, type PinnedWorkload } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationRequest, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { type EnclaveReport, SimulatedEnclave } from './enclave';
import { generateEnclaveKeys } from './enclave-keys';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

/** Verifies reports with the simulated root trusted as a hardware root, because tests have no real hardware. */
const nowMs = Date.UTC(2026, 10, 1);
const enclave = new SimulatedEnclave(generateEnclaveKeys(nowMs), '{"name": "guide"}');
const hardwareRoot = { certificate: configuredRoot(enclave.root, true).certificate, isSimulated: false };
const nonce = '07'.repeat(32);
const report = enclave.attest('e2ee-guide', Buffer.from(nonce, 'hex'), nowMs);
const { composeHash, mrTd, rtMr0, rtMr1, rtMr2 } = (await verify()).measurements as Record<string, string>;
const guide = { name: 'guide', composeHash, mrTd, rtMr0, rtMr1, rtMr2 } as PinnedWorkload;

interface Change {
  report?: unknown;
  expected?: Partial<AttestationRequest['expected']>;
  pinned?: PinnedWorkload[];
  nowMs?: number;
}
function verify(change: Change = {}) {
  return verifyAttestation({
    report: change.report === undefined ? report : change.report,
    expected: { nonce, model: 'e2ee-guide', needsPublicKey: true, ...change.expected },
    policy: { ...DEFAULT_POLICY, roots: [hardwareRoot], pinnedWorkloads: change.pinned ?? [] },
    nowMs: change.nowMs ?? nowMs,
  });
}
const changed = (change: Partial<Record<keyof EnclaveReport | 'nonce' | 'verified' | 'signing_key', unknown>>) =>
  verify({ report: { ...report, ...change } });

describe('the verdict on an attestation', () => {
  it('is verified with a pinned workload, and unknown without', async () => {
    expect(await verify({ pinned: [guide] })).toMatchObject({
      conclusion: 'verified',
      reason: null,
      workload: 'guide',
      key: { address: enclave.address },
    });
    expect(await verify()).toMatchObject({
      conclusion: 'unknown-workload',
      workload: null,
      key: { address: enclave.address },
    });
    expect(await verify({ pinned: [{ name: 'other', composeHash: '00'.repeat(32) }] })).toMatchObject({
      conclusion: 'unknown-workload',
      workload: null,
    });
  });

  it.each<[string, (pin: PinnedWorkload) => Partial<PinnedWorkload>, string]>([
    [
      'its compose hash alone',
      ({ composeHash: hash }) => ({ composeHash: hash ?? '' }),
      'it must also pin MRTD, RTMR0, RTMR1 and RTMR2, in addition to the hash of the compose file',
    ],
    [
      'its MRTD alone',
      ({ mrTd: firmware }) => ({ mrTd: firmware ?? '' }),
      'it must also pin RTMR0, RTMR1, RTMR2 and the hash of the compose file or RTMR3, in addition to MRTD',
    ],
    [
      'its firmware and boot without the application',
      ({ composeHash: left, ...rest }) => (left ? rest : {}),
      'it must also pin the hash of the compose file or RTMR3',
    ],
  ])(
    'is genuine hardware with an unknown workload where it is pinned by %s, and says what is missing',
    async (_, pick, sentence) => {
      const verdict = await verify({ pinned: [{ ...pick(guide), name: 'guide' }] });
      expect(verdict).toMatchObject({
        conclusion: 'unknown-workload',
        reason: expect.stringContaining(sentence) as unknown,
        workload: null,
        key: { address: enclave.address },
      });
    },
  );

  it('is unknown where any one measurement of the pin differs', async () => {
    for (const name of ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2', 'composeHash'] as const) {
      const other = name === 'composeHash' ? '9'.repeat(64) : '9'.repeat(96);
      expect(await verify({ pinned: [{ ...guide, [name]: other }] })).toMatchObject({
        conclusion: 'unknown-workload',
        reason: expect.stringContaining('“guide” differs in') as unknown,
      });
    }
  });

  it('is unknown where the log of what the guest measured is withheld, since the host may say any compose file', async () => {
    const without = { ...report, event_log: null };
    const relabelled = {
      ...report,
      event_log: report.event_log.map((event) =>
        event.event === 'compose-hash' ? { ...event, event_type: 4 } : event,
      ),
    };
    for (const given of [without, relabelled])
      expect(await verify({ report: given, pinned: [guide] })).toMatchObject({
        conclusion: 'unknown-workload',
        reason: expect.stringContaining('MRCONFIGID, which the host chooses') as unknown,
      });
    expect(
      (await verify({ report: without, pinned: [{ ...guide, rtMr3: (await verify()).measurements?.rtMr3 ?? '' }] }))
        .conclusion,
    ).toBe('verified');
  });

  it('is taken from base64 and hex, and from either name of the key', async () => {
    expect((await changed({ intel_quote: Buffer.from(report.intel_quote, 'hex').toString('base64') })).conclusion).toBe(
      'unknown-workload',
    );
    expect((await changed({ signing_public_key: report.signing_public_key.slice(2) })).conclusion).toBe(
      'unknown-workload',
    );
    expect((await changed({ signing_key: report.signing_public_key, signing_public_key: 'ignored' })).conclusion).toBe(
      'unknown-workload',
    );
    expect(
      (
        await changed({
          event_log: JSON.stringify(report.event_log),
          info: JSON.stringify({ tcb_info: JSON.stringify(report.info.tcb_info) }),
        })
      ).conclusion,
    ).toBe('unknown-workload');
  });

  it.each([
    ['another nonce in the quote', { expected: { nonce: '08'.repeat(32) } }, 'Attestation nonce mismatch'],
    ['an invalid nonce', { expected: { nonce: 'short' } }, 'Attestation nonce mismatch'],
    ['another model', { expected: { model: 'tee-guide' } }, 'TEE attestation verification failed'],
    ['time gone by', { nowMs: nowMs + 40 * 86_400_000 }, 'TEE attestation verification failed'],
  ] as [string, Change, string][])('is failed with %s', async (_, change, reason) => {
    expect(await verify(change)).toMatchObject({ conclusion: 'failed', reason, key: null });
  });

  it.each([
    ['another nonce in the report', { nonce: '08'.repeat(32) }, 'Attestation nonce mismatch'],
    ['a key off the curve', { signing_public_key: 'ab'.repeat(64) }, 'TEE attestation verification failed'],
    ['no key to encrypt to', { signing_public_key: null }, 'TEE attestation verification failed'],
    ['another address', { signing_address: `0x${'00'.repeat(20)}` }, 'TEE attestation verification failed'],
    [
      'another compose file',
      { info: { tcb_info: { app_compose: '{"name": "other"}' } } },
      'TEE attestation verification failed',
    ],
    ['an event log that was cut', { event_log: report.event_log.slice(0, -1) }, 'TEE attestation verification failed'],
    ['a quote that is no text', { intel_quote: 7 }, 'TEE attestation verification failed'],
    ['a quote that is no quote', { intel_quote: 'AAAA' }, 'TEE attestation verification failed'],
    ['invalid collateral', { collateral: [] }, 'TEE attestation verification failed'],
    [
      'GPU evidence of another nonce',
      { nvidia_payload: JSON.stringify({ nonce: '08'.repeat(32), evidence_list: [] }) } as object,
      'TEE attestation verification failed',
    ],
  ])('is failed with %s', async (_, change, reason) => {
    expect(await changed(change)).toMatchObject({ conclusion: 'failed', reason, key: null });
  });

  it.each([
    [
      'no quote, whatever else it says',
      {
        report: {
          verified: true,
          nonce,
          model: 'e2ee-guide',
          signing_key: report.signing_public_key,
          signing_address: report.signing_address,
        },
      },
      'has no quote',
    ],
    ['no collateral', { report: { ...report, collateral: null } }, 'collateral'],
    ['no nonce to compare', { expected: { nonce: null } }, 'no nonce was given'],
  ] as [string, Change, string][])('is not checkable with %s', async (_, change, reason) => {
    expect(await verify(change)).toMatchObject({
      conclusion: 'not-checkable',
      reason: expect.stringContaining(reason),
      key: null,
    });
  });

  it.each([null, [], 'report', 7, {}, { intel_quote: '' }, { intel_quote: {} }])(
    'never throws, and never gives a key: %j',
    async (bad) => {
      const verdict = await verifyAttestation({
        report: bad,
        expected: { nonce, model: null, needsPublicKey: false },
        policy: DEFAULT_POLICY,
        nowMs,
      });
      expect(verdict.key).toBeNull();
      expect(verdict.conclusion).toMatch(/failed|not-checkable/);
    },
  );

  it('can be read by people: every check has a title, and a reason where it did not pass', async () => {
    for (const { title, outcome, reason } of [
      ...(await verify()).checks,
      ...(await changed({ intel_quote: null })).checks,
    ]) {
      expect(title).toMatch(/^[A-Z]/);
      expect(reason === null).toBe(outcome === 'passed');
    }
  });
});
