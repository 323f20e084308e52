import { bytesToHex } from '@noble/hashes/utils.js';
import { Malformed } from '../malformed';

/**
 * DER element (ITU-T X.690). Parsing is strict: one-byte tags, definite lengths in shortest form, no trailing bytes.
 */
export interface DerElement {
  tag: number;
  /** Tag, length and content as received. */
  whole: Uint8Array;
  content: Uint8Array;
}

export const TAG = {
  BOOLEAN: 0x01,
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  NULL: 0x05,
  OID: 0x06,
  ENUMERATED: 0x0a,
  SEQUENCE: 0x30,
  SET: 0x31,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
} as const;

const LENGTH_BYTES_MAX = 3;
/** Maximum number of child elements. Intel's longest revocation lists have a few thousand entries. */
const ELEMENTS_MAX = 100_000;

/**
 * Parses bytes that must be exactly one element.
 *
 * @throws {Malformed}
 */
export function readDer(bytes: Uint8Array, tag: number = TAG.SEQUENCE): DerElement {
  const { element, end } = readElement(bytes, 0);
  if (end !== bytes.length) throw new Malformed('The DER data has bytes after its end.');
  return expectTag(element, tag);
}

/**
 * Parses the elements inside a constructed element.
 *
 * @throws {Malformed}
 */
export function childrenOf({ content }: Pick<DerElement, 'content'>): DerElement[] {
  const children: DerElement[] = [];
  for (let offset = 0; offset < content.length;) {
    const { element, end } = readElement(content, offset);
    children.push(element);
    if (children.length > ELEMENTS_MAX) throw new Malformed('The DER data has too many elements.');
    offset = end;
  }
  return children;
}

/** @throws {Malformed} if the tag differs or the element is missing */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag)
    throw new Malformed(
      `The DER data has ${element === undefined ? 'nothing' : `the tag ${element.tag.toString(16)}`}, but the tag ${tag.toString(16)} was expected.`,
    );
  return element;
}

function readElement(bytes: Uint8Array, start: number): { element: DerElement; end: number } {
  const tag = byteAt(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new Malformed('The DER data has a tag of several bytes.');
  const { length, offset } = readLength(bytes, start + 1);
  const end = offset + length;
  if (end > bytes.length) throw new Malformed('The DER data has an element that ends beyond its container.');
  return { element: { tag, whole: bytes.subarray(start, end), content: bytes.subarray(offset, end) }, end };
}

function readLength(bytes: Uint8Array, start: number): { length: number; offset: number } {
  const first = byteAt(bytes, start);
  if (first < 0x80) return { length: first, offset: start + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > LENGTH_BYTES_MAX)
    throw new Malformed('The DER data has an indefinite or enormous length.');
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + byteAt(bytes, start + 1 + i);
  const isShortest = length >= 0x80 && length >= 256 ** (count - 1);
  if (!isShortest) throw new Malformed('The DER data has a length that is not in its shortest form.');
  return { length, offset: start + 1 + count };
}

function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new Malformed('The DER data ends in the middle of an element.');
  return byte;
}

/** Returns an object identifier in dotted form. @throws {Malformed} */
export function oidOf(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.OID);
  const arcs: number[] = [];
  let arc = 0;
  let isOpen = false;
  for (const byte of content) {
    if (!isOpen && byte === 0x80) throw new Malformed('The DER data has an object identifier with leading zeros.');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > 0xffff_ffff) throw new Malformed('The DER data has an enormous object identifier.');
    isOpen = (byte & 0x80) !== 0;
    if (isOpen) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...rest] = arcs;
  if (first === undefined || isOpen) throw new Malformed('The DER data has an object identifier that is cut off.');
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
  if (first === undefined || first >= 0x80) throw new Malformed('The DER data has an empty or negative integer.');
  if (first !== 0 || content.length === 1) return content;
  if ((second as number) < 0x80) throw new Malformed('The DER data has an integer that is not in its shortest form.');
  return content.subarray(1);
}

/** Returns an integer from 0 to 2^32 - 1. @throws {Malformed} */
export function smallIntegerOf(element: DerElement | undefined): number {
  const bytes = unsignedOf(element);
  if (bytes.length > 4) throw new Malformed('The DER data has an integer that is too large.');
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** @throws {Malformed} for bytes other than DER's true and false */
export function booleanOf(element: DerElement | undefined): boolean {
  const { content } = expectTag(element, TAG.BOOLEAN);
  if (content.length === 1 && content[0] === 0xff) return true;
  if (content.length === 1 && content[0] === 0) return false;
  throw new Malformed('The DER data has a boolean that is neither true nor false.');
}

/**
 * Returns the content of a bit string of whole bytes.
 *
 * @throws {Malformed}
 */
export function wholeBitsOf(element: DerElement | undefined): Uint8Array {
  const { content } = expectTag(element, TAG.BIT_STRING);
  if (content[0] !== 0) throw new Malformed('The DER data has a bit string that does not consist of whole bytes.');
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
  if (match === null) throw new Malformed('The DER data has an invalid time.');
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
  if (!isCalendarDate) throw new Malformed('The DER data has a date that does not exist.');
  return timeMs;
}

/** Returns a serial number in hex, the form of `RevocationList.revoked`. */
export function serialOf(element: DerElement | undefined): string {
  return bytesToHex(unsignedOf(element));
}
