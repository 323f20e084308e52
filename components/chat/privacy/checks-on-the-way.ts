import type { Attestation } from '@/lib/client/private-chat';
import type { EnclaveCheck } from '@/lib/protocol/attestation/enclave-checks';

/**
 * Returns the number of enclaves that a prompt passes through, and all checks of these enclaves. With one enclave or
 * none, returns the checks of the report.
 */
export function checksOnTheWay({ enclaves, checks }: Attestation['verdict']): {
  enclaves: number;
  checks: readonly EnclaveCheck[];
} {
  const used = enclaves.filter(({ isUsed }) => isUsed);
  return { enclaves: used.length, checks: used.length > 1 ? used.flatMap((enclave) => enclave.checks) : checks };
}

export function passedOf(checks: readonly EnclaveCheck[]): number {
  return checks.filter(({ outcome }) => outcome === 'passed').length;
}
