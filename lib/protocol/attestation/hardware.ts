import { NotCheckable } from '../tee/check-list';
import type { HardwareClaim, HardwareFindings } from './enclave';
import type { EnclaveChecks } from './enclave-checks';
import type { HardwareContext } from './family';
import { verifyTdx } from './tdx/verify-tdx';

/** Makes the checks of whichever hardware an enclave claims; of hardware that is not known here it says just that. */
export async function verifyHardwareOf(
  claim: HardwareClaim,
  context: HardwareContext,
  checks: EnclaveChecks,
): Promise<HardwareFindings | undefined> {
  if (claim.kind === 'intel-tdx') return verifyTdx(claim, context, checks);
  // Loaded where it is needed, with AMD's certificates, which are most of its size.
  if (claim.kind === 'amd-sev-snp')
    return (await import('./sev-snp/verify-sev-snp')).verifySevSnp(claim, context, checks);
  const { platform } = claim;
  await checks.make('quote-format', 'The evidence is of hardware that is known here', () => {
    throw new NotCheckable(`Evidence of ${JSON.stringify(platform.slice(0, 40))} is not checked here.`);
  });
  return undefined;
}
