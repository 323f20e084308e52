const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
/** Matches integers of up to 1,000 digits. Chains use at most 78. */
const INTEGER = /^-?\d{1,1000}$/;
/** Matches integers of 16 digits or more, which may be inexact as numbers. A false match only costs a second parse. */
const LONG_INTEGER = /(?:^|[:,[\s])-?\d{16}/;

class WrittenNumber {
  constructor(readonly text: string) {}
}

/** Formats JSON. A bigint becomes a number with all digits; a WrittenNumber keeps its text. */
export function stringifyExact(value: unknown, indent = 0): string {
  const mark = freshMark();
  const digits = (each: unknown): string | null =>
    typeof each === 'bigint' ? each.toString() : each instanceof WrittenNumber ? each.text : null;
  const text = JSON.stringify(
    value,
    (_, each: unknown) => (digits(each) === null ? each : mark + digits(each)),
    indent,
  );
  return text.replace(new RegExp(`"${mark}([-+.\\deE]+)"`, 'g'), '$1');
}

/**
 * Parses JSON with all integers as bigints.
 *
 * @throws SyntaxError; RangeError for too deep nesting
 */
export function parseBigIntegers(text: string): unknown {
  return parseNumbers(text, (token) => INTEGER.test(token), BigInt);
}

/**
 * Parses JSON. Only integers beyond 2^53 − 1 in magnitude become bigints.
 *
 * @throws SyntaxError; RangeError for too deep nesting
 */
export function parseLongIntegers(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return parseNumbers(text, (token) => INTEGER.test(token) && !Number.isSafeInteger(Number(token)), BigInt);
}

/**
 * Parses JSON. Numbers that JavaScript would format differently (`1.0`, `1e400`, long integers) become WrittenNumbers.
 *
 * @throws SyntaxError; RangeError
 */
export function parseAsWritten(text: string): unknown {
  return parseNumbers(
    text,
    (token) => String(Number(token)) !== token,
    (token) => new WrittenNumber(token),
  );
}

function parseNumbers(text: string, isKept: (token: string) => boolean, kept: (token: string) => unknown): unknown {
  // Rejects invalid JSON first, because the pattern below can take quadratic time on invalid JSON.
  JSON.parse(text);
  const mark = freshMark();
  const marked = text.replace(TOKEN, (token) =>
    !token.startsWith('"') && isKept(token) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(mark) ? kept(each.slice(mark.length)) : each,
  );
}

function freshMark(): string {
  return `${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}n`;
}
