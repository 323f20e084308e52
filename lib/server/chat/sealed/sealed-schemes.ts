import type { Call } from '../../http/call';
import { ehbpScheme } from './ehbp-scheme';
import { mlKemScheme } from './ml-kem-scheme';
import type { SealedScheme } from './sealed-scheme';

/** All ways of encrypting whole bodies. */
const SCHEMES: readonly SealedScheme[] = [ehbpScheme, mlKemScheme];

/** How the body of a request is encrypted as a whole; null where it is not. */
export function sealedSchemeOf(call: Call): SealedScheme | null {
  return SCHEMES.find((scheme) => scheme.isUsedBy(call)) ?? null;
}
