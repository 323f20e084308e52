/**
 * The address of the client, as far as it can be trusted: the peer's own, or, behind `trustProxyHops` reverse
 * proxies, the entry that the outermost of them appended to X-Forwarded-For. Entries before it are the client's
 * own words.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustProxyHops: number): string {
  if (trustProxyHops === 0 || !forwardedFor) return peer;
  const entries = forwardedFor.split(',');
  return (entries[Math.max(0, entries.length - trustProxyHops)] ?? '').trim() || peer;
}
