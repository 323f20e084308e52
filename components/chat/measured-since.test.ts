import { measuredBy, type MeasurementEntry } from '@/lib/protocol/attestation/measurement-log';
import { describe, expect, it } from 'vitest';
import { measuredNote } from './measured-since';

const digit = (of: string) => of.repeat(96);

const verdictOf = (mrTd: string) =>
  ({
    conclusion: 'verified',
    enclaves: [
      {
        role: 'model',
        isUsed: true,
        workload: null,
        name: null,
        hardware: 'intel-tdx',
        verdict: 'verified',
        reason: null,
        checks: [],
        keys: [],
        unusable: null,
        measurements: {
          kind: 'intel-tdx',
          mrTd: digit(mrTd),
          rtMr0: digit('1'),
          rtMr1: digit('2'),
          rtMr2: digit('3'),
          rtMr3: digit('4'),
          mrConfigId: digit('5'),
          composeHash: null,
        },
      },
    ],
  }) as const;

/** Log of the measurements that verdicts have, first seen at 100, 200 and so on. */
function logOf(...mrTds: string[]) {
  const entries = mrTds.map((mrTd, index): MeasurementEntry => {
    const [measured] = measuredBy('m', verdictOf(mrTd));
    return {
      version: 1,
      seq: index + 1,
      previous: null,
      at: (index + 1) * 100,
      changed: index === 0 ? [] : ['MRTD'],
      ...measured!,
    };
  });
  return { fault: null, entries, head: null } as const;
}

describe('since when an enclave is measured', () => {
  it('is the time of its entry in the log', () =>
    expect(measuredNote(logOf('a'), 'm', verdictOf('a'))).toEqual({
      kind: 'since',
      sinceMs: 100_000,
      before: null,
    }));

  it('names what changed and since when the earlier one was measured', () =>
    expect(measuredNote(logOf('a', 'b'), 'm', verdictOf('b'))).toEqual({
      kind: 'since',
      sinceMs: 200_000,
      before: { sinceMs: 100_000, changed: ['MRTD'] },
    }));

  it('is not claimed for a measurement or a model that the log lacks', () => {
    expect(measuredNote(logOf('a'), 'm', verdictOf('c'))).toEqual({ kind: 'unlisted' });
    expect(measuredNote(logOf('a'), 'other', verdictOf('a'))).toEqual({ kind: 'unlisted' });
  });

  it('is not claimed by a log that does not hold, nor for a verdict that proves nothing', () => {
    expect(measuredNote({ fault: 'fork', reason: 'Why.', head: null }, 'm', verdictOf('a'))).toEqual({
      kind: 'broken',
      reason: 'Why.',
    });
    expect(measuredNote(logOf('a'), 'm', { ...verdictOf('a'), conclusion: 'failed' })).toBeNull();
  });
});
