const ZERO = 0x30;
const EIGHT = 0x38;
const BACKSLASH = 0x5c;
const UNICODE = 'u'.charCodeAt(0);
const LETTER_D = 'd'.charCodeAt(0);
const LOWER_CASE = 0x20;
/** Number of bytes in an escape such as `\u0441`. */
const ESCAPE_BYTES = 6;

/**
 * Returns by how many bytes a JSON string's numeric escapes exceed their UTF-8 encoding.
 *
 * @param start index of an escape in the string
 * @param end of the string's content
 */
export function escapeSurplus(bytes: Uint8Array, start: number, end: number): number {
  let surplus = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] !== BACKSLASH) continue;
    at++;
    if (bytes[at] === UNICODE) surplus += ESCAPE_BYTES - utf8Bytes(bytes, at + 1);
  }
  return surplus;
}

/** Returns the UTF-8 length of the character with these hex digits; 2 for half of a surrogate pair. */
function utf8Bytes(bytes: Uint8Array, start: number): number {
  const [first = 0, second = 0, third = 0] = bytes.subarray(start, start + 3);
  if (first === ZERO && second === ZERO && third < EIGHT) return 1;
  const isHalf = (first | LOWER_CASE) === LETTER_D && second >= EIGHT;
  return isHalf || (first === ZERO && second < EIGHT) ? 2 : 3;
}
