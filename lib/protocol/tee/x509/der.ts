import { Malformed } from '../malformed';

/**
 * DER element (ITU-T X.690). Parsing is strict: one-byte tags, definite lengths in shortest form, no remaining bytes.
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
/** Maximum child elements. Intel's longest revocation lists have a few thousand entries. */
const ELEMENTS_MAX = 100_000;

/**
 * Parses bytes that must be exactly one element.
 *
 * @throws {Malformed}
 */
export function readDer(bytes: Uint8Array, tag: number = TAG.SEQUENCE): DerElement {
  const { element, end } = readElement(bytes, 0);
  if (end !== bytes.length) throw new Malformed('DER: bytes after the end.');
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
    if (children.length > ELEMENTS_MAX) throw new Malformed('DER: too many elements.');
    offset = end;
  }
  return children;
}

/** @throws {Malformed} if the tag differs or the element is missing */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag !== tag)
    throw new Malformed(`DER: tag ${tag.toString(16)} expected, ${element?.tag.toString(16) ?? 'nothing'} found.`);
  return element;
}

function readElement(bytes: Uint8Array, start: number): { element: DerElement; end: number } {
  const tag = byteAt(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new Malformed('DER: a tag of several bytes.');
  const { length, offset } = readLength(bytes, start + 1);
  const end = offset + length;
  if (end > bytes.length) throw new Malformed('DER: an element ends beyond its container.');
  return { element: { tag, whole: bytes.subarray(start, end), content: bytes.subarray(offset, end) }, end };
}

function readLength(bytes: Uint8Array, start: number): { length: number; offset: number } {
  const first = byteAt(bytes, start);
  if (first < 0x80) return { length: first, offset: start + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > LENGTH_BYTES_MAX) throw new Malformed('DER: an indefinite or enormous length.');
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + byteAt(bytes, start + 1 + i);
  const isShortest = length >= 0x80 && length >= 256 ** (count - 1);
  if (!isShortest) throw new Malformed('DER: a length that is not in its shortest form.');
  return { length, offset: start + 1 + count };
}

function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new Malformed('DER: it ends in the middle of an element.');
  return byte;
}
