import type { Check } from '@/lib/protocol/tee/check-list';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';

export const SENTENCES: Readonly<Record<AttestationConclusion, string>> = {
  verified: 'VERIFIED: genuine hardware that runs the pinned workload.',
  'unknown-workload': 'UNKNOWN WORKLOAD: genuine hardware, but no pin identifies the workload',
  simulated: 'SIMULATED: the checks pass, but there is no hardware behind them.',
  failed: 'FAILED',
  'not-checkable': 'NOT CHECKABLE',
};

const MARKS: Readonly<Record<Check['outcome'], string>> = {
  passed: 'passed ',
  failed: 'FAILED ',
  'not-checkable': '–      ',
};

/** Formats a check in one line, with a second line for the reason if it did not pass. */
export function describeCheck({ title, outcome, reason }: Check<string>): string {
  return `${MARKS[outcome]} ${title}${reason === null ? '' : `\n        ${reason}`}`;
}
