import { parseRevocationList } from '../x509/revocation-list';
import type { Collateral } from './collateral';
import { parseQeIdentity } from './qe-identity';
import { parseTcbInfo } from './tcb-info';

/**
 * When the first of the four dated parts of collateral expires, in milliseconds since 1970. Their signatures are not
 * looked at.
 *
 * @throws {Malformed} for a part that cannot be read
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
