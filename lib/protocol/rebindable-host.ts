/**
 * Returns whether a request with this Host header may come from a web page that uses DNS rebinding. A page cannot
 * choose its Host header, and cannot rebind `localhost` or an IP address.
 *
 * @param ownNames names of this server without ports, lower case
 */
export function isRebindableHost(host: string | null | undefined, ownNames: readonly string[] = []): boolean {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase();
  return name !== 'localhost' && !ownNames.includes(name) && !ADDRESS.test(name);
}

/** IPv4 address, or IPv6 address in brackets. Also matches invalid IPv4 addresses, which browsers refuse. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;
