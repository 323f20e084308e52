/**
 * Decodes bytes as UTF-8 without trailing zeros (the padding of `bytes32`). Returns null for fewer than two bytes, and
 * for text with control or direction characters.
 *
 * @param digits hexadecimal, without `0x`
 */
export function readText(digits: string): string | null {
  if (digits.length % 2 !== 0) return null;
  const text = decode(digits.replace(/(?:00)+$/, ''));
  return text === null || text.length < 2 ? null : text;
}

/**
 * Decodes an answer that is one ABI-encoded `string` or `bytes` of text: an offset of 32, the length, the text and zero
 * padding.
 */
export function readAbiText(digits: string): string | null {
  return digits.length >= 128 && digits.length % 64 === 0 && numberAt(digits, 0) === 32
    ? readDynamicText(digits, 1)
    : null;
}

/** Decodes the text whose length is in word `at`; null if bytes are missing or are not text. */
export function readDynamicText(digits: string, at: number): string | null {
  const length = numberAt(digits, at);
  const start = (at + 1) * 64;
  if (length === null || start + length * 2 > digits.length || /[^0]/.test(digits.slice(start + length * 2)))
    return null;
  return length === 0 ? null : decode(digits.slice(start, start + length * 2));
}

/** Returns a word as a number; null for 2^32 and above. */
export function numberAt(digits: string, word: number): number | null {
  const text = digits.slice(word * 64, (word + 1) * 64);
  return /^0{56}[0-9a-f]{8}$/.test(text) ? parseInt(text, 16) : null;
}

function decode(digits: string): string | null {
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_unused, index) =>
    parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[^\P{C}\t\r\n]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
