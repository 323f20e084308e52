import { NotCheckable } from '../../tee/check-list';
import { type Collateral, readCollateral } from '../../tee/hardware/collateral';
import { type PckPlatform, readPckPlatform } from '../../tee/hardware/pck-extension';
import { parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import { parseQuote } from '../../tee/quote/quote';
import type { Certificate } from '../../tee/x509/certificate';
import { sameBytes } from '../../tee/x509/chain';
import { parsePemCertificates } from '../../tee/x509/pem';

/**
 * Finds in a pool the collateral that is of a quote's platform: TCB info of its family (FMSPC) and a revocation list of
 * the authority that certified its processor. Which one is taken decides about nothing: it is verified afterwards as any.
 *
 * @param pool parsed JSON, not read yet
 * @throws {NotCheckable} where none is of this platform, naming it; {Malformed} for a quote, or the only collateral, that cannot be read
 */
export function collateralFor(quoteBytes: Uint8Array, pool: readonly unknown[]): Collateral {
  const [leaf] = parseQuote(quoteBytes).pckChain;
  if (leaf === undefined) throw new Malformed('The quote holds no certificate of a processor.');
  const { fmspc } = readPckPlatform(leaf);
  const candidates = pool.map((value) => candidateOf(value));
  const ofFamily = candidates.filter((candidate) => candidate.fmspc === fmspc);
  // The latest of several that fit.
  const fitting =
    ofFamily.findLast(({ authority }) => authority !== null && sameBytes(authority.subject, leaf.issuer)) ??
    ofFamily.findLast(({ authority }) => authority === null) ??
    candidates.find((candidate) => candidate.fmspc === null);
  if (fitting !== undefined) return fitting.read();
  if (ofFamily.length > 0)
    throw new NotCheckable(`There is no revocation list of ${leaf.issuerText}, which certified the processor.`, {
      fmspc,
    });
  const known = [...new Set(candidates.map((candidate) => candidate.fmspc))].join(', ');
  throw new NotCheckable(`There is no collateral for the platform family ${fmspc}; what is there is for ${known}.`, {
    fmspc,
  });
}

interface Candidate {
  /** Upper-case hex; null where it cannot be read, which the check of the TCB info then says. */
  fmspc: PckPlatform['fmspc'] | null;
  /** Who signs the revocation list of processors; null where that cannot be read. */
  authority: Certificate | null;
  read: () => Collateral;
}

const known = new WeakMap<object, Candidate>();

/** Reading a pool takes as long as the checks of a quote; all the enclaves of a report read the same one. */
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
