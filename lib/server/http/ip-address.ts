import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
/** Groups of IPv6 that one customer of a network has, at least (RFC 6177): single addresses cost whoever has them nothing. */
const BLOCK_GROUPS = 4;
/** 6to4 (RFC 3056): after 2002 comes the IPv4 address of one customer, who has all that is below. */
const SIX_TO_FOUR_GROUPS = 3;

/**
 * The one form of an IP address: IPv4 as it is, IPv6 as RFC 5952 writes it, without its zone. What is an IPv4 address in
 * IPv6 clothes is that address: mapped (`::ffff:1.2.3.4`), as dual-stack sockets give it, or translated by the well-known
 * prefix of NAT64 (`64:ff9b::1.2.3.4`, RFC 6052), behind which all of IPv4 would otherwise be one.
 * @returns null for what is no address; ports and brackets are not taken.
 */
export function canonicalIp(text: string): string | null {
  if (isIPv4(text)) return text;
  // `isIPv6` takes any zone; Node's sockets name the interface there.
  const bare = text.includes('%') ? text.slice(0, text.indexOf('%')) : text;
  if (!isIPv6(bare)) return null;
  const groups = groupsOf(bare);
  return embeddedIpv4(groups) ?? textOf(groups);
}

/**
 * What counts as one client for limits: an IPv4 address, or the /64 of an IPv6 address (for 6to4 the /48), as text.
 * @param ip in the form that `canonicalIp` gives; anything else counts as it is.
 */
export function addressBlock(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  const kept = groups[0] === 0x2002 ? SIX_TO_FOUR_GROUPS : BLOCK_GROUPS;
  return `${textOf(groups.map((group, index) => (index < kept ? group : 0)))}/${kept * 16}`;
}

/** @param text an IPv6 address without a zone. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::') as [string, string?];
  const first = partsOf(head);
  const last = tail === undefined ? [] : partsOf(tail);
  return [...first, ...new Array<number>(GROUPS - first.length - last.length).fill(0), ...last];
}

function partsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [parseInt(part, 16)];
    const [a, b, c, d] = part.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}

function embeddedIpv4(groups: readonly number[]): string | null {
  const prefix = groups.slice(0, 6).join();
  if (prefix !== '0,0,0,0,0,65535' && prefix !== `${0x64},${0xff9b},0,0,0,0`) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** RFC 5952: lower case, no leading zeros, the first of the longest runs of two zero groups or more as `::`. */
function textOf(groups: readonly number[]): string {
  let [start, length] = [0, 1];
  for (let at = 0; at < GROUPS; at++) {
    let end = at;
    while (groups[end] === 0) end++;
    if (end - at > length) [start, length] = [at, end - at];
  }
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}
