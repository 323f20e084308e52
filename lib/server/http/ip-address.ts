import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
/**
 * Number of leading IPv6 groups that identify one customer of an internet provider (RFC 6177). That customer has all
 * addresses with this prefix.
 */
const BLOCK_GROUPS = 4;
/**
 * Number of leading groups that identify a user of 6to4 (RFC 3056): the group 2002, and two groups with the IPv4
 * address.
 */
const SIX_TO_FOUR_GROUPS = 3;

/**
 * Normalizes an IP address: IPv4 stays unchanged, and IPv6 gets the form of RFC 5952 without a zone. Extracts the IPv4
 * address from mapped addresses (`::ffff:1.2.3.4`), which dual-stack sockets report, and from NAT64
 * (`64:ff9b::1.2.3.4`, RFC 6052). Otherwise all IPv4 clients would share one /64.
 * @returns null for anything else, including ports and brackets
 */
export function canonicalIp(text: string): string | null {
  if (isIPv4(text)) return text;
  // Removes the zone first, because `isIPv6` accepts any text as a zone.
  const bare = text.includes('%') ? text.slice(0, text.indexOf('%')) : text;
  if (!isIPv6(bare)) return null;
  const groups = groupsOf(bare);
  return embeddedIpv4(groups) ?? textOf(groups);
}

/**
 * Returns the block that counts as one client for limits: an IPv4 address, or the /64 of an IPv6 address (for 6to4, the
 * /48).
 *
 * @param ip address in the form that `canonicalIp` returns; other text is returned unchanged
 */
export function addressBlock(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  const kept = groups[0] === 0x2002 ? SIX_TO_FOUR_GROUPS : BLOCK_GROUPS;
  return `${textOf(groups.map((group, index) => (index < kept ? group : 0)))}/${kept * 16}`;
}

/** @param text IPv6 address without a zone */
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
