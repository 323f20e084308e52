import type { Check } from '@/lib/protocol/tee/check-list';
import type { AttestationConclusion } from '@/lib/protocol/tee/verify-attestation';

/** What each conclusion means, for people. */
export const SENTENCES: Readonly<Record<AttestationConclusion, string>> = {
  verified: 'VERIFIED: genuine hardware that runs the pinned workload.',
  'unknown-workload': 'UNKNOWN WORKLOAD: genuine hardware, and no pin says enough of what runs there',
  simulated: 'SIMULATED: the protocol holds, and there is no hardware behind it.',
  failed: 'FAILED',
  'not-checkable': 'NOT CHECKABLE',
};

const MARKS: Readonly<Record<Check['outcome'], string>> = {
  passed: 'passed ',
  failed: 'FAILED ',
  'not-checkable': '–      ',
};

/** A check in a line, with a second one where it did not pass. */
export function describeCheck({ title, outcome, reason }: Check<string>): string {
  return `${MARKS[outcome]} ${title}${reason === null ? '' : `\n        ${reason}`}`;
}
