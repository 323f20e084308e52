import type { EnclaveCheck as Check, EnclaveCheckId as CheckId } from '@/lib/protocol/attestation/enclave-checks';
import { chatPrivacyWords } from './words';

const { groups } = chatPrivacyWords;

export interface CheckGroup {
  title: string;
  checks: readonly Check[];
}

/**
 * Groups of checks. A group's title is the question that the group answers. Each group relies on the groups before it.
 */
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

/** Groups the checks. Failed groups, and failed checks within a group, come first. */
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

/** Returns whether a check failed. An unpinned workload does not count as a failure, because it has its own verdict. */
export function isFailure({ id, outcome }: Check): boolean {
  return outcome === 'failed' && id !== 'workload';
}

function failedFirst<T>(items: readonly T[], hasFailed: (item: T) => boolean): readonly T[] {
  return [...items.filter(hasFailed), ...items.filter((item) => !hasFailed(item))];
}

/** Returns the title of a check group or finding. With a simulator's root, no title says "genuine" or "trusted". */
export function titleUnder(root: RootKind, title: string): string {
  return (root === 'simulated' ? chatPrivacyWords.simulatedTitles[title] : undefined) ?? title;
}

/** Root of a certificate chain: Intel's, built into this page; a simulator's; or unknown. */
export type RootKind = 'built-in' | 'simulated' | 'unknown';

/** Reads the root from the chain check, so that texts claim only what the check proved. */
export function rootKindOf(checks: readonly Check[]): RootKind {
  const chain = checks.find(({ id }) => id === 'certificate-chain');
  if (chain?.outcome !== 'passed' || typeof chain.evidence.simulated !== 'boolean') return 'unknown';
  return chain.evidence.simulated ? 'simulated' : 'built-in';
}
