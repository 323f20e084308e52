const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
/** More digits than an integer of any chain has: the longest have 78. */
const INTEGER = /^-?\d{1,1000}$/;

/** JSON whose bigints are numbers of all their digits. */
export function stringifyBigIntegers(value: unknown): string {
  const mark = freshMark();
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? mark + each.toString() : each));
  return text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/** Parses JSON whose integers are to be exact: each is a bigint. @throws SyntaxError; RangeError for what is nested too deeply */
export function parseBigIntegers(text: string): unknown {
  // What is no JSON can take the pattern below a time that grows with the square of its length.
  JSON.parse(text);
  const mark = freshMark();
  const marked = text.replace(TOKEN, (token) => (INTEGER.test(token) ? `"${mark}${token}"` : token));
  return JSON.parse(marked, (_, each: unknown) => (typeof each === 'string' && each.startsWith(mark) ? BigInt(each.slice(mark.length)) : each));
}

/** What no text of others can have foreseen. */
function freshMark(): string {
  return `${Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')}n`;
}
