import { Malformed } from '../malformed';
import {
  childrenOf,
  type DerElement,
  expectTag,
  readDer,
  serialOf,
  smallIntegerOf,
  TAG,
  timeOf,
  wholeBitsOf,
} from './der';
import { EXTENSION, nameText, readExtensions } from './certificate';
import { readSignatureAlgorithm, type SignatureAlgorithm } from './signature-algorithm';

/** Certificate revocation list, version 2 (RFC 5280, 5), parsed but not verified. */
export interface RevocationList {
  signedBytes: Uint8Array;
  signatureAlgorithm: SignatureAlgorithm;
  signature: Uint8Array;
  issuer: Uint8Array;
  issuerText: string;
  thisUpdateMs: number;
  nextUpdateMs: number;
  /** Serial numbers, lower-case hex. */
  revoked: ReadonlySet<string>;
}

const VERSION_2 = 1;
const EXPLICIT_0 = 0xa0;
const UNDERSTOOD = [EXTENSION.CRL_NUMBER, EXTENSION.AUTHORITY_KEY_ID];

/**
 * @throws {Malformed} also for a list without `nextUpdate`, or with an unknown critical extension (a partial or
 *   indirect list)
 */
export function parseRevocationList(der: Uint8Array): RevocationList {
  const parts = childrenOf(readDer(der));
  if (parts.length !== 3) throw new Malformed('The revocation list does not have three parts.');
  const tbs = expectTag(parts[0], TAG.SEQUENCE);
  const fields = childrenOf(tbs);
  const [version, algorithm, issuer, thisUpdate, nextUpdate] = fields;
  if (smallIntegerOf(version) !== VERSION_2) throw new Malformed('The revocation list does not have version 2.');
  const signatureAlgorithm = readSignatureAlgorithm(parts[1]);
  if (readSignatureAlgorithm(algorithm) !== signatureAlgorithm)
    throw new Malformed('The revocation list contains two different signature algorithms.');
  const issuerElement = expectTag(issuer, TAG.SEQUENCE);
  const rest = fields.slice(5);
  const entries = rest[0]?.tag === TAG.SEQUENCE ? rest.shift() : undefined;
  const extensionList = rest.shift();
  if (rest.length > 0) throw new Malformed('The revocation list has more fields than the format allows.');
  if (extensionList) readExtensions(readDer(expectTag(extensionList, EXPLICIT_0).content), UNDERSTOOD);
  return {
    signedBytes: tbs.whole,
    signatureAlgorithm,
    signature: wholeBitsOf(parts[2]),
    issuer: issuerElement.whole,
    issuerText: nameText(issuerElement),
    thisUpdateMs: timeOf(thisUpdate),
    nextUpdateMs: timeOf(nextUpdate),
    revoked: new Set(entries ? childrenOf(entries).map(revokedSerial) : []),
  };
}

function revokedSerial(entry: DerElement): string {
  const [serial, , extensionList] = childrenOf(expectTag(entry, TAG.SEQUENCE));
  // A critical entry extension could change whose certificate is revoked.
  if (extensionList) readExtensions(extensionList, []);
  return serialOf(serial);
}
