import { describe, expect, it, vi } from 'vitest';
import type { ReportVerdict } from './verify-report';
import { recordings } from './testing/recordings';
import { rememberSignatures } from './testing/remembered-signatures';
import { verifyRecording } from './testing/verify-recording';
import { mutationsOf, SHAPES, withInstances } from './testing/report-mutations';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 240_000 });
rememberSignatures();

const recorded = [...recordings().values()];
const shaped = recorded.flatMap((recording) => {
  const shape = SHAPES[recording.name.split('-')[0] as string];
  return shape === undefined ? [] : [{ recording: withInstances(recording, shape, 3), shape }];
});

/** Ids of the checks that did not pass, for the report and its enclaves. */
const notPassed = ({ checks, enclaves }: ReportVerdict) =>
  [...checks, ...enclaves.flatMap((enclave) => enclave.checks)]
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ id }) => id);

describe.each(shaped.map((each) => [each.recording.name, each] as const))(
  'every mutation of %s',
  (_, { recording, shape }) => {
    const other = shaped.find(
      (candidate) =>
        candidate.shape.gpus !== null &&
        candidate.recording.manifest.nonce !== recording.manifest.nonce &&
        candidate.recording.name !== recording.name,
    );
    if (other === undefined) throw new Error('There is no recording of another machine.');
    const mutations = mutationsOf(recording, shape, other);

    it('is refused by the check that is for it', async () => {
      expect(mutations.length).toBeGreaterThan(30);
      const policy = { acceptedTcbStatuses: ['UpToDate', 'OutOfDate'] as const };
      // These checks fail even without a mutation, so their failure says nothing about a mutation.
      const before = new Set(
        (await verifyRecording(recording, { policy })).enclaves.flatMap(({ checks }) =>
          checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
        ),
      );
      const missed: string[] = [];
      for (const { name, responses, request, caughtBy, isPassedOver } of mutations) {
        const verdict = await verifyRecording({ manifest: recording.manifest, responses }, { ...request, policy });
        const caught = notPassed(verdict);
        const isRefused =
          verdict.verdict === 'failed' ||
          verdict.verdict === 'not-checkable' ||
          (isPassedOver === true && verdict.enclaves[0]?.isUsed === false);
        if (!isRefused || !caughtBy.some((id) => caught.includes(id) && (!before.has(id) || caughtBy.length === 1)))
          missed.push(`${name}: ${verdict.verdict}, ${[...new Set(caught)].join(' ')}`);
      }
      expect(missed).toEqual([]);
    });
  },
);

it('is tried wherever recordings are', () => {
  expect(shaped.length > 0).toBe(Boolean(process.env['ATTESTATION_SAMPLES']));
});
