/** Writes the subset of DER (ITU-T X.690) that certificates and revocation lists need. */

const HIGH_BIT = 0x80;

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

export const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items);
export const set = (...items: readonly Uint8Array[]) => der(0x31, ...items);
export const octets = (content: Uint8Array) => der(0x04, content);
export const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.of(unused), content);
export const boolean = (value: boolean) => der(0x01, Buffer.of(value ? 0xff : 0));
export const text = (value: string) => der(0x0c, Buffer.from(value, 'utf8'));
/** Encodes an explicitly tagged field, `[number] EXPLICIT`. */
export const explicit = (number: number, content: Uint8Array) => der(0xa0 + number, content);

/** Encodes a non-negative integer from a number or its bytes. */
export function integer(value: number | Uint8Array): Buffer {
  const bytes = typeof value === 'number' ? bytesOf(value) : Buffer.from(value);
  const start = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  );
  const shortest = bytes.subarray(start);
  return der(0x02, (shortest[0] ?? 0) >= HIGH_BIT ? Buffer.concat([Buffer.of(0), shortest]) : shortest);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** Encodes a time as UTCTime before 2050, else as GeneralizedTime (RFC 5280). */
export function time(timeMs: number): Buffer {
  const digits = `${new Date(timeMs).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function lengthOf(length: number): Buffer {
  if (length < HIGH_BIT) return Buffer.of(length);
  const bytes = bytesOf(length);
  return Buffer.concat([Buffer.of(HIGH_BIT + bytes.length), bytes]);
}

function bytesOf(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift((rest & 0x7f) | HIGH_BIT);
  return digits;
}
