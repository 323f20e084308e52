import { canonicalIp } from './ip-address';
import { forwardedFor } from './forwarded';

/**
 * Returns the client's trustworthy address in the form of `canonicalIp`. This is the peer's address or, behind
 * `trustProxyHops` reverse proxies, the entry that the outermost proxy appended to X-Forwarded-For or Forwarded (RFC
 * 7239). Earlier entries come from the client. Replaces an invalid entry by the next trusted proxy's, or else by the
 * peer's address. If the two headers differ, ignores both, because the client may have sent either.
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
  // Next.js sets an absent X-Forwarded-For to the peer's address.
  return byList === null || byList === own || byList === byForwarded ? byForwarded : own;
}

/** Returns the address seen by the outermost trusted proxy whose entry is valid. */
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
