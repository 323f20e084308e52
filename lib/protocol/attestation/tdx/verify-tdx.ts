import { NotCheckable } from '../../tee/check-list';
import { type Collateral, readCollateral } from '../../tee/hardware/collateral';
import { verifyHardware } from '../../tee/hardware/verify-hardware';
import { measurementsOf } from '../../tee/workload/workload';
import type { HardwareFindings, TdxClaim } from '../enclave';
import type { HardwareCheck } from '../family';
import { collateralFor } from './collateral-for';

/**
 * Intel TDX: the checks of `verifyHardware`, with the collateral of the report itself or, where it brings none, with that
 * of the pool which is of the quote's platform.
 */
export const verifyTdx: HardwareCheck<TdxClaim> = async (claim, { endorsements, policy, nowMs }, checks) => {
  const collateral = once(() => collateralOf(claim, endorsements.tdxCollateral));
  const quoteBytes = once(claim.quote);
  const { quote, chain } = await verifyHardware({ quoteBytes, collateral, policy, nowMs }, checks);
  if (quote === undefined) return undefined;
  const measurements = { kind: 'intel-tdx' as const, ...measurementsOf(quote.report, null) };
  return {
    reportData: quote.report.reportData,
    measurements,
    isSimulated: chain?.root.isSimulated ?? false,
    tdReport: quote.report,
  } satisfies HardwareFindings;
};

function collateralOf({ quote, collateral }: TdxClaim, pool: readonly unknown[]): Collateral {
  if (collateral !== null) return readCollateral(collateral);
  if (pool.length === 0)
    throw new NotCheckable('There is no collateral: revocation lists, TCB info and QE identity are missing.');
  return collateralFor(quote(), pool);
}

/** Makes something when it is first asked for; what it threw then it throws again. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | { fault: unknown } | undefined;
  return () => {
    if (made === undefined) {
      try {
        made = { value: make() };
      } catch (fault) {
        made = { fault };
      }
    }
    if ('fault' in made) throw made.fault;
    return made.value;
  };
}
