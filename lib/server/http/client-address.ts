import { canonicalIp } from './ip-address';

/**
 * Returns the client's address, normalized by `canonicalIp`. Without reverse proxies, that is the peer's address.
 * Behind `trustProxyHops` proxies, it is the entry that the outermost proxy appended to X-Forwarded-For or Forwarded
 * (RFC 7239). Ignores earlier entries, because the client may have written them. If that entry is invalid, uses the
 * entry of the next inner proxy, and finally the peer's address. Ignores both headers if they differ.
 * @param header returns a request header by lower-case name, repeated lines joined by commas; null if absent
 */
export function clientAddress(peer: string, header: (name: string) => string | null, trustProxyHops: number): string {
  const own = canonicalIp(peer) ?? peer;
  if (trustProxyHops === 0) return own;
  const forwarded = header('forwarded');
  const listed = header('x-forwarded-for');
  const byList = listed === null ? null : outermost(listed.split(','), trustProxyHops);
  if (forwarded === null) return byList ?? own;
  const byForwarded = outermost(forwardedFor(forwarded) ?? [], trustProxyHops) ?? own;
  // Next.js sets an absent X-Forwarded-For to the peer's address, so that value counts as absent.
  return byList === null || byList === own || byList === byForwarded ? byForwarded : own;
}

function outermost(nodes: readonly string[], trustProxyHops: number): string | null {
  for (let at = Math.max(0, nodes.length - trustProxyHops); at < nodes.length; at++) {
    const ip = readNode(nodes[at] as string);
    if (ip !== null) return ip;
  }
  return null;
}

const BRACKETED = /^\[([^\]]*)\](?::[\w.-]{1,16})?$/;
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):[\w.-]{1,16}$/;
const NODE_LENGTH_MAX = 64;

/**
 * Parses `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`; null for other text, such as
 * `unknown`.
 */
function readNode(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > NODE_LENGTH_MAX) return null;
  return canonicalIp((BRACKETED.exec(trimmed) ?? IPV4_WITH_PORT.exec(trimmed))?.[1] ?? trimmed);
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const ADDRESS = '[0-9A-Za-z.:\\[\\]_%-]+';
/** Matches an optional `name=value` pair and the separator after it: `;`, `,` or the end. */
const PIECE = new RegExp(`[ \\t]*(?:(${TOKEN})=(${QUOTED}|${TOKEN}(?=[ \\t;,]|$)|${ADDRESS})[ \\t]*)?(;|,|$)`, 'y');

/**
 * Returns the `for` of each element of a Forwarded header (RFC 7239, section 4), without quotes. For an
 * element without exactly one `for`, returns ''. Accepts unquoted addresses with colons, which some proxies write.
 * @returns null if any part is malformed, because a client could send an open quote to hide the entry that a proxy
 * appends
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
