import { parseRevocationList } from '../x509/revocation-list';
import type { Collateral } from './collateral';
import { parseQeIdentity } from './qe-identity';
import { parseTcbInfo } from './tcb-info';

/**
 * Returns the earliest expiry of the collateral's four dated documents, Unix milliseconds. Verifies no signatures.
 *
 * @throws {Malformed}
 */
export function collateralExpiryMs({ tcbInfo, qeIdentity, rootCaCrl, pckCrl }: Collateral): number {
  const dated = [
    parseTcbInfo(tcbInfo),
    parseQeIdentity(qeIdentity),
    parseRevocationList(rootCaCrl),
    parseRevocationList(pckCrl),
  ];
  return Math.min(...dated.map(({ nextUpdateMs }) => nextUpdateMs));
}
