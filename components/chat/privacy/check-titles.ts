import { chatPrivacyWords } from '@/lib/browser/words/chat-privacy';
import type { EnclaveCheck } from '@/lib/protocol/attestation/enclave-checks';

/**
 * Returns the title of a check group or finding. With a simulator's root certificate, no title says "genuine" or
 * "trusted".
 */
export function titleUnder(root: RootKind, title: string): string {
  return (root === 'simulated' ? chatPrivacyWords.simulatedTitles[title] : undefined) ?? title;
}

/** Root of a certificate chain: Intel's, built into this page; a simulator's; or unknown. */
export type RootKind = 'built-in' | 'simulated' | 'unknown';

/** Reads the root from the chain check, so that texts claim no more than the check proved. */
export function rootKindOf(checks: readonly EnclaveCheck[]): RootKind {
  const chain = checks.find(({ id }) => id === 'certificate-chain');
  if (chain?.outcome !== 'passed' || typeof chain.evidence.simulated !== 'boolean') return 'unknown';
  return chain.evidence.simulated ? 'simulated' : 'built-in';
}
