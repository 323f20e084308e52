import { QuoteVerifier } from '@phala/dcap-qvl';
import { describe, expect, it, vi } from 'vitest';
import type { EnclaveVerdict } from './enclave';
import { pinsFor } from './pins';
import { sortRecordedAnswers } from './recording/recorded-answers';
import { familyOf } from './families';
import { recordings } from './testing/recordings';
import { verifyRecording } from './testing/verify-recording';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

const recorded = recordings();

const failing = ({ checks }: Pick<EnclaveVerdict, 'checks'>) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

/** Expected verdicts at the time of recording. An independent verifier found the same verdicts. */
const EXPECTED: readonly [name: string, family: string, verdict: string][] = [
  ['venice-20260424', 'near-ecdsa', 'unknown-workload'],
  ['neardirect-20260610', 'near-ed25519', 'unknown-workload'],
  ['nearcloud-20260610', 'near-cloud', 'failed'],
  ['chutes-20260610', 'chutes', 'unknown-workload'],
  ['phalacloud-20260610', 'phala-cloud', 'failed'],
];

if (recorded.size > 0) {
  describe.each(EXPECTED)('the recording %s', (name, family, verdict) => {
    const recording = recorded.get(name);
    if (recording === undefined) throw new Error(`${name} is not there.`);

    it('comes to what it is, and is verified by pins that were taken from it', async () => {
      const found = await verifyRecording(recording);
      expect({ family: found.family, verdict: found.verdict }).toEqual({ family, verdict });
      const pinned = await verifyRecording(recording, {
        policy: { pinnedWorkloads: pinsFor(found), acceptedTcbStatuses: ['UpToDate', 'OutOfDate'] },
      });
      expect(pinned.verdict).toBe(family === 'phala-cloud' ? 'failed' : 'verified');
      for (const pins of pinsFor(found)) {
        const { composeHash, rtMr3, mrTd } = pins;
        for (const pin of [
          {
            name: 'application',
            ...(composeHash !== undefined && { composeHash }),
            ...(rtMr3 !== undefined && { rtMr3 }),
          },
          { name: 'firmware', ...(mrTd !== undefined && { mrTd }) },
        ]) {
          expect(
            (
              await verifyRecording(recording, {
                policy: { pinnedWorkloads: [pin], acceptedTcbStatuses: ['UpToDate', 'OutOfDate'] },
              })
            ).verdict,
          ).not.toBe('verified');
        }
      }
    });

    it('holds every quote that an independent verifier holds, and no other', async () => {
      const { answers, endorsements } = sortRecordedAnswers(recording.responses);
      const claims = familyOf(answers())?.enclavesOf(answers()) ?? [];
      const { enclaves } = await verifyRecording(recording);
      for (const [index, claim] of claims.entries()) {
        if (claim.hardware.kind !== 'intel-tdx') continue;
        const { hardware } = claim;
        const statuses = endorsements.tdxCollateral.flatMap((collateral) => {
          try {
            return [
              QuoteVerifier.newProd().verify(
                hardware.quote(),
                collateral as Parameters<QuoteVerifier['verify']>[1],
                recording.manifest.capturedAtMs / 1_000,
              ).status,
            ];
          } catch {
            return [];
          }
        });
        const ours = enclaves[index]?.checks.find(({ id }) => id === 'tcb-status');
        expect(statuses[0] ?? null).toBe(
          ours?.outcome === 'not-checkable'
            ? null
            : (ours?.evidence['status'] ?? (ours?.outcome === 'passed' ? 'UpToDate' : null)),
        );
      }
    });
  });

  it('has a router of NEAR AI that is out of date, by five advisories, in front of a model that holds', async () => {
    const recording = recorded.get('nearcloud-20260610');
    if (recording === undefined) throw new Error('The recording is not there.');
    const { reason, enclaves } = await verifyRecording(recording);
    expect(reason).toContain('INTEL-SA-01036, INTEL-SA-01079, INTEL-SA-01099, INTEL-SA-01103, INTEL-SA-01111');
    expect(enclaves.map(({ role, verdict }) => [role, verdict])).toEqual([
      ['router', 'failed'],
      ['model', 'unknown-workload'],
    ]);
    expect(enclaves.map(failing)).toEqual([['tcb-status'], []]);
    expect(
      (await verifyRecording(recording, { policy: { acceptedTcbStatuses: ['UpToDate', 'OutOfDate'] } })).verdict,
    ).toBe('unknown-workload');
  });

  it('says in words that Phala’s router put another nonce in the place of the one that was sent, and finds all else to hold', async () => {
    const recording = recorded.get('phalacloud-20260610');
    if (recording === undefined) throw new Error('The recording is not there.');
    const { reason, enclaves } = await verifyRecording(recording);
    expect(reason).toContain('its own nonce instead of the nonce that was sent');
    expect(enclaves.map(failing)).toEqual(Array(5).fill(['nonce']));
    for (const { checks } of enclaves) expect(checks.find(({ id }) => id === 'signing-key')?.outcome).toBe('passed');
  });

  it('uses none of the instances of Chutes without a key, and passes over the one whose platform nobody recorded', async () => {
    const recording = recorded.get('chutes-20260610');
    if (recording === undefined) throw new Error('The recording is not there.');
    const { enclaves } = await verifyRecording(recording);
    expect(enclaves.map(({ verdict, unusable }) => (unusable === null ? verdict : 'never used'))).toEqual([
      'unknown-workload',
      'never used',
      'unknown-workload',
      'never used',
      'unknown-workload',
      'not-checkable',
      'unknown-workload',
    ]);
    expect(enclaves.flatMap(failing)).toEqual([]);
    expect(enclaves.filter(({ isUsed }) => isUsed)).toHaveLength(1);
    expect(enclaves[5]?.reason).toContain('B0C06F000000');
    expect(enclaves[0]?.keys.map(({ algorithm }) => algorithm)).toEqual(['ml-kem-768', 'tls-spki-sha256']);
  });
}

it('is tested against whenever a folder of recorded reports is named', () => {
  expect(recorded.size > 0).toBe(Boolean(process.env['ATTESTATION_SAMPLES']));
});
