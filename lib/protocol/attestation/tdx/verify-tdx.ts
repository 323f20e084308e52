import { NotCheckable } from '../../tee/check-list';
import { type Collateral, readCollateral } from '../../tee/hardware/collateral';
import { type PckPlatform, readPckPlatform } from '../../tee/hardware/pck-extension';
import { verifyHardware } from '../../tee/hardware/verify-hardware';
import { parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { parseQuote } from '../../tee/quote/quote';
import { measurementsOf } from '../../tee/workload/workload';
import type { Certificate } from '../../tee/x509/certificate';
import { sameBytes } from '../../tee/x509/chain';
import { parsePemCertificates } from '../../tee/x509/pem';
import type { HardwareFindings, TdxClaim } from '../enclave';
import type { HardwareCheck } from '../family';

/**
 * Selects a platform's collateral by the TCB info's FMSPC and the revocation list's issuer. The caller must verify the
 * collateral.
 *
 * @param pool collateral of all platforms of a report, as unvalidated JSON
 * @throws {NotCheckable} if the pool has no collateral for the platform; {Malformed}
 */
function collateralFor(quoteBytes: Uint8Array, pool: readonly unknown[]): Collateral {
  const [leaf] = parseQuote(quoteBytes).pckChain;
  if (leaf === undefined) throw new Malformed('The quote has no processor certificate.');
  const { fmspc } = readPckPlatform(leaf);
  const candidates = pool.map((value) => candidateOf(value));
  const ofFamily = candidates.filter((candidate) => candidate.fmspc === fmspc);
  // The last match in the pool is the newest. Malformed collateral is used only if no other collateral fits.
  const fitting =
    ofFamily.findLast(({ authority }) => authority !== null && sameBytes(authority.subject, leaf.issuer)) ??
    ofFamily.findLast(({ authority }) => authority === null) ??
    candidates.find((candidate) => candidate.fmspc === null);
  if (fitting !== undefined) return fitting.read();
  if (ofFamily.length > 0)
    throw new NotCheckable(`The revocation list of ${leaf.issuerText}, which certified the processor, is missing.`, {
      fmspc,
    });
  const known = [...new Set(candidates.map((candidate) => candidate.fmspc))].join(', ');
  throw new NotCheckable(`The collateral is for the platform family ${known}, not for ${fmspc}.`, {
    fmspc,
  });
}

interface Candidate {
  /** Upper-case hex. Null if malformed; the TCB info check then reports the fault. */
  fmspc: PckPlatform['fmspc'] | null;
  /** Issuer of the PCK revocation list; null if malformed. */
  authority: Certificate | null;
  read: () => Collateral;
}

const known = new WeakMap<object, Candidate>();

/** Caches the parsed collateral, because all enclaves of a report share a pool. */
function candidateOf(value: unknown): Candidate {
  if (typeof value !== 'object' || value === null)
    return { fmspc: null, authority: null, read: () => readCollateral(value) };
  const candidate = known.get(value) ?? made(value);
  known.set(value, candidate);
  return candidate;
}

function made(value: object): Candidate {
  const json = value as Readonly<Record<string, unknown>>;
  const fmspc = orNull(() => parseJsonObject(String(json['tcb_info']), 'tcb_info')['fmspc']);
  const read = lazily(() => readCollateral(value));
  return {
    fmspc: typeof fmspc === 'string' ? fmspc.toUpperCase() : null,
    authority: orNull(() => parsePemCertificates(String(json['pck_crl_issuer_chain']))[0]) ?? null,
    read,
  };
}

function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/**
 * Runs `verifyHardware` for Intel TDX, with the claim's collateral, or else matching collateral from the endorsements.
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
