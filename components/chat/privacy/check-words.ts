import { checkWords } from '@/lib/browser/words/chat-checks';
import type { EnclaveCheckId as CheckId } from '@/lib/protocol/attestation/enclave-checks';
import type { RootKind } from './check-titles';

export function aboutCheck(id: CheckId, root: RootKind): string {
  if (id === 'certificate-chain' && root === 'built-in') return checkWords.aboutBuiltInRoot;
  const simulated: Partial<Record<CheckId, string>> = checkWords.aboutSimulated;
  return (root === 'simulated' ? simulated[id] : undefined) ?? checkWords.about[id];
}

/** Names the certificates of a processor's chain, leaf first. */
export function chainRoles(root: RootKind): readonly string[] {
  if (root === 'simulated') return checkWords.simulatedRoles;
  return checkWords.roles(root === 'built-in' ? checkWords.builtInRoot : checkWords.root);
}

export function evidenceLabel(name: string): string {
  return checkWords.evidence[name] ?? name;
}
