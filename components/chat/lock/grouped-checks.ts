import { chatLockWords } from '@/lib/browser/words/chat-lock';
import type { EnclaveCheck as Check, EnclaveCheckId as CheckId } from '@/lib/protocol/attestation/enclave-checks';

const { groups } = chatLockWords;

export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

/** The checks as questions that a person would ask, in the order in which trust is built. */
export const CHECK_GROUPS: readonly { title: string; ids: readonly CheckId[] }[] = [
  {
    title: groups.hardware,
    ids: [
      'report-format',
      'quote-format',
      'certificate-chain',
      'certificate-validity',
      'revocation',
      'quoting-enclave',
      'quote-signature',
    ],
  },
  {
    title: groups.upToDate,
    ids: ['tcb-info', 'qe-identity', 'tcb-status', 'tdx-module', 'debug-off', 'migration-off', 'privilege-level'],
  },
  { title: groups.answersMe, ids: ['nonce', 'model', 'signing-key', 'certificate', 'certificate-signature'] },
  {
    title: groups.workload,
    ids: ['event-log', 'compose-file', 'images', 'release', 'workload', 'gpu-evidence', 'gpu'],
  },
];

/** The checks by group. What failed comes first, both groups and checks within them; otherwise the order stays. */
export function groupedChecks(checks: readonly Check[]): readonly CheckGroup[] {
  const groups = CHECK_GROUPS.map(({ title, ids }) => ({
    title,
    checks: failedFirst(
      ids.flatMap((id) => checks.find((check) => check.id === id) ?? []),
      isFailure,
    ),
  }));
  return failedFirst(
    groups.filter((group) => group.checks.length > 0),
    (group) => group.checks.some(isFailure),
  );
}

/** Whether a check failed to the verdict's harm: a workload that nobody pinned is a verdict of its own, and no failure of the enclave's. */
export function isFailure({ id, outcome }: Check): boolean {
  return outcome === 'failed' && id !== 'workload';
}

function failedFirst<T>(items: readonly T[], hasFailed: (item: T) => boolean): readonly T[] {
  return [...items.filter(hasFailed), ...items.filter((item) => !hasFailed(item))];
}
