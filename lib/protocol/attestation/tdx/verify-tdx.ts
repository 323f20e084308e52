import { NotCheckable } from '../../tee/check-list';
import { type Collateral, readCollateral } from '../../tee/hardware/collateral';
import { verifyHardware } from '../../tee/hardware/verify-hardware';
import { measurementsOf } from '../../tee/workload/workload';
import type { HardwareFindings, TdxClaim } from '../enclave';
import type { HardwareCheck } from '../family';
import { collateralFor } from './collateral-for';

/** Runs `verifyHardware` for Intel TDX, with the report's own collateral or else the pool's. */
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
    throw new NotCheckable('The collateral (revocation lists, TCB info and QE identity) is missing.');
  return collateralFor(quote(), pool);
}

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
