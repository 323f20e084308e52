import { NotCheckable } from '../tee/check-list';
import type { HardwareClaim, HardwareFindings } from './enclave';
import type { EnclaveChecks } from './enclave-checks';
import type { HardwareContext } from './family';
import { verifyTdx } from './tdx/verify-tdx';

/** Checks the hardware that an enclave claims. Unknown hardware is `NotCheckable`. */
export async function verifyHardwareOf(
  claim: HardwareClaim,
  context: HardwareContext,
  checks: EnclaveChecks,
): Promise<HardwareFindings | undefined> {
  if (claim.kind === 'intel-tdx') return verifyTdx(claim, context, checks);
  // Loaded on demand, mostly because AMD's certificates are large.
  if (claim.kind === 'amd-sev-snp')
    return (await import('./sev-snp/verify-sev-snp')).verifySevSnp(claim, context, checks);
  const { platform } = claim;
  await checks.make('quote-format', 'The evidence is from supported hardware', () => {
    throw new NotCheckable(`Evidence of ${JSON.stringify(platform.slice(0, 40))} is not supported.`);
  });
  return undefined;
}
