import { bytesToHex } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';
import { type DerElement, expectTag, TAG } from './der';

/** Object identifier in dotted form. @throws {Malformed} */
export function oidOf(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.OID);
  const arcs: number[] = [];
  let arc = 0;
  let isOpen = false;
  for (const byte of content) {
    if (!isOpen && byte === 0x80) throw new Malformed('DER: an object identifier with leading zeros.');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > 0xffff_ffff) throw new Malformed('DER: an enormous object identifier.');
    isOpen = (byte & 0x80) !== 0;
    if (isOpen) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...rest] = arcs;
  if (first === undefined || isOpen) throw new Malformed('DER: an object identifier that is cut.');
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - 40 * top, ...rest].join('.');
}

/**
 * Returns a non-negative integer's bytes, without the leading zero byte that DER adds.
 *
 * @throws {Malformed}
 */
export function unsignedOf(element: DerElement | undefined, tag: number = TAG.INTEGER): Uint8Array {
  const { content } = expectTag(element, tag);
  const [first, second] = content;
  if (first === undefined || first >= 0x80) throw new Malformed('DER: an empty or negative integer.');
  if (first !== 0 || content.length === 1) return content;
  if ((second as number) < 0x80) throw new Malformed('DER: an integer that is not in its shortest form.');
  return content.subarray(1);
}

/** Integer from 0 to 2^32 - 1. @throws {Malformed} */
export function smallIntegerOf(element: DerElement | undefined): number {
  const bytes = unsignedOf(element);
  if (bytes.length > 4) throw new Malformed('DER: an integer that is too large.');
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** @throws {Malformed} for bytes other than DER's true and false */
export function booleanOf(element: DerElement | undefined): boolean {
  const { content } = expectTag(element, TAG.BOOLEAN);
  if (content.length === 1 && content[0] === 0xff) return true;
  if (content.length === 1 && content[0] === 0) return false;
  throw new Malformed('DER: a boolean that is neither true nor false.');
}

/**
 * Returns the content of a bit string of whole bytes.
 *
 * @throws {Malformed}
 */
export function wholeBitsOf(element: DerElement | undefined): Uint8Array {
  const { content } = expectTag(element, TAG.BIT_STRING);
  if (content[0] !== 0) throw new Malformed('DER: a bit string that is not of whole bytes.');
  return content.subarray(1);
}

const UTC_TIME = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;
const GENERALIZED_TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/**
 * Returns the Unix milliseconds of a UTCTime or GeneralizedTime (RFC 5280).
 *
 * @throws {Malformed}
 */
export function timeOf(element: DerElement | undefined): number {
  const text = String.fromCharCode(...(element?.content.subarray(0, 20) ?? []));
  const match =
    element?.tag === TAG.UTC_TIME
      ? UTC_TIME.exec(text)
      : element?.tag === TAG.GENERALIZED_TIME
        ? GENERALIZED_TIME.exec(text)
        : null;
  if (match === null) throw new Malformed('DER: an invalid time.');
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const fullYear = element?.tag === TAG.UTC_TIME ? year + (year < 50 ? 2000 : 1900) : year;
  const timeMs = Date.UTC(fullYear, month - 1, day, hour, minute, second);
  const isCalendarDate = new Date(timeMs)
    .toISOString()
    .startsWith(`${String(fullYear).padStart(4, '0')}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}`);
  if (!isCalendarDate) throw new Malformed('DER: a time that no calendar has.');
  return timeMs;
}

/** Returns a serial number in hex, the form of `RevocationList.revoked`. */
export function serialOf(element: DerElement | undefined): string {
  return bytesToHex(unsignedOf(element));
}
