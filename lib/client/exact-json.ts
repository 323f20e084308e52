const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
/** More digits than an integer of any chain has: the longest have 78. */
const INTEGER = /^-?\d{1,1000}$/;
/** Integers below 10^15 are exact as numbers. Texts that look like a longer one cost a second reading, and no more. */
const LONG_INTEGER = /(?:^|[:,[\s])-?\d{16}/;

/** A number of JSON, as it was written. */
export class WrittenNumber {
  constructor(readonly text: string) {}
}

/** JSON whose bigints are numbers of all their digits, and whose WrittenNumbers are as they were. */
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

/** Parses JSON whose integers are to be exact: each is a bigint. @throws SyntaxError; RangeError for what is nested too deeply */
export function parseBigIntegers(text: string): unknown {
  return parseNumbers(text, (token) => INTEGER.test(token), BigInt);
}

/** Parses JSON; the integers alone that a number would round are bigints. @throws SyntaxError; RangeError for what is nested too deeply */
export function parseLongIntegers(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return parseNumbers(text, (token) => INTEGER.test(token) && !Number.isSafeInteger(Number(token)), BigInt);
}

/** Parses JSON; what JavaScript would write otherwise (`1.0`, `1e400`, long integers) is a WrittenNumber. @throws SyntaxError; RangeError */
export function parseAsWritten(text: string): unknown {
  return parseNumbers(
    text,
    (token) => String(Number(token)) !== token,
    (token) => new WrittenNumber(token),
  );
}

function parseNumbers(text: string, isKept: (token: string) => boolean, kept: (token: string) => unknown): unknown {
  // What is no JSON can take the pattern below a time that grows with the square of its length.
  JSON.parse(text);
  const mark = freshMark();
  const marked = text.replace(TOKEN, (token) =>
    !token.startsWith('"') && isKept(token) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(mark) ? kept(each.slice(mark.length)) : each,
  );
}

/** What no text of others can have foreseen. */
function freshMark(): string {
  return `${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}n`;
}
