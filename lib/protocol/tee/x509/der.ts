import { Malformed } from '../malformed';

/**
 * A reader of DER (ITU-T X.690) for certificates and revocation lists, strict where BER would be lenient:
 * one-byte tags, definite lengths in their shortest form, no byte left over. Nothing is re-encoded, so what a
 * signature covers is the bytes that came.
 */
export interface DerElement {
  tag: number;
  /** The element with its tag and length, as it came. */
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
/** Intel's longest revocation lists have some thousand entries. */
const ELEMENTS_MAX = 100_000;

/** Reads the one element that these bytes are. @throws {Malformed} also for bytes after it */
export function readDer(bytes: Uint8Array, tag: number = TAG.SEQUENCE): DerElement {
  const { element, end } = readElement(bytes, 0);
  if (end !== bytes.length) throw new Malformed('DER: bytes after the end.');
  return expectTag(element, tag);
}

/** The elements inside a constructed one. @throws {Malformed} */
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

/** The element, if it is there and has this tag. @throws {Malformed} */
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
