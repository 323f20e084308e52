import { canonicalIp } from './ip-address';
import { forwardedFor } from './forwarded';

/**
 * The address of the client, as far as it can be trusted, in the form that `canonicalIp` gives: the peer's own, or,
 * behind `trustProxyHops` reverse proxies, the entry that the outermost of them appended to X-Forwarded-For or to
 * Forwarded (RFC 7239). Entries before it are the client's own words. Where that entry is no address, the nearest one
 * that a trusted proxy wrote stands for it, at last the peer: whoever sends garbage chooses nothing.
 *
 * Which of the two headers the proxies write is not told, and clients can send the other one: where both are there and
 * name different clients, none of them counts.
 *
 * @param header gives a request header by lower-case name, several lines of it joined by commas; null where absent.
 */
export function clientAddress(peer: string, header: (name: string) => string | null, trustProxyHops: number): string {
  const own = canonicalIp(peer) ?? peer;
  if (trustProxyHops === 0) return own;
  const forwarded = header('forwarded');
  const listed = header('x-forwarded-for');
  const byList = listed === null ? null : outermost(listed.split(','), trustProxyHops);
  if (forwarded === null) return byList ?? own;
  const byForwarded = outermost(forwardedFor(forwarded) ?? [], trustProxyHops) ?? own;
  // Next fills an absent X-Forwarded-For with the peer.
  return byList === null || byList === own || byList === byForwarded ? byForwarded : own;
}

/** The address that the outermost trusted proxy saw, or the next one inwards that is an address. */
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

/** `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`; null for `unknown`, `_hidden` and whatever else. */
function readNode(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > NODE_LENGTH_MAX) return null;
  return canonicalIp((BRACKETED.exec(trimmed) ?? IPV4_WITH_PORT.exec(trimmed))?.[1] ?? trimmed);
}
