import { chatLockWords } from '@/lib/browser/words/chat-lock';
import type { EnclaveCheck } from '@/lib/protocol/attestation/enclave-checks';

/** What is asked by a group of checks, or found by one: nothing that a simulator vouches for is called genuine or trusted. */
export function titleUnder(root: RootKind, title: string): string {
  return (root === 'simulated' ? chatLockWords.simulatedTitles[title] : undefined) ?? title;
}

/** Whose root a certificate chain ends in: Intel's, which is built into this page; a simulator's; or none that is known. */
export type RootKind = 'built-in' | 'simulated' | 'unknown';

/** Read from what the check of the chain established, so that words claim no more than it did. */
export function rootKindOf(checks: readonly EnclaveCheck[]): RootKind {
  const chain = checks.find(({ id }) => id === 'certificate-chain');
  if (chain?.outcome !== 'passed' || typeof chain.evidence.simulated !== 'boolean') return 'unknown';
  return chain.evidence.simulated ? 'simulated' : 'built-in';
}
