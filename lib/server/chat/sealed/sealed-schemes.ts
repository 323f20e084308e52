import type { Call } from '../../http/call';
import { ehbpScheme } from './ehbp-scheme';
import { mlKemScheme } from './ml-kem-scheme';
import type { SealedScheme } from './sealed-scheme';

const SCHEMES: readonly SealedScheme[] = [ehbpScheme, mlKemScheme];

/** Returns the scheme of a request whose whole body is encrypted; null for all other requests. */
export function sealedSchemeOf(call: Call): SealedScheme | null {
  return SCHEMES.find((scheme) => scheme.isUsedBy(call)) ?? null;
}
