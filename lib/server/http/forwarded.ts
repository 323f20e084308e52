const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const ADDRESS = '[0-9A-Za-z.:\\[\\]_%-]+';
/** Matches an optional `name=value` pair and the separator after it: `;`, `,` or the end. */
const PIECE = new RegExp(`[ \\t]*(?:(${TOKEN})=(${QUOTED}|${TOKEN}(?=[ \\t;,]|$)|${ADDRESS})[ \\t]*)?(;|,|$)`, 'y');

/**
 * Returns the `for` of each element of a Forwarded header (RFC 7239, section 4), without quotes; '' for an element with
 * none or several. Accepts unquoted addresses with colons, which some proxies write.
 * @returns null if any part is malformed, because a client's open quote could hide the next proxy's entry
 */
export function forwardedFor(header: string): string[] | null {
  const nodes: string[] = [];
  let names: string[] = [];
  let pairs = 0;
  PIECE.lastIndex = 0;
  for (;;) {
    const piece = PIECE.exec(header);
    if (!piece) return null;
    const [, name, value = '', end] = piece;
    if (name !== undefined) pairs++;
    if (name?.toLowerCase() === 'for') names.push(unquoted(value));
    if (end === ';') continue;
    // Lists may have empty elements (RFC 9110, section 5.6.1).
    if (pairs > 0) nodes.push(names.length === 1 ? (names[0] as string) : '');
    if (end === '') return nodes;
    names = [];
    pairs = 0;
  }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
