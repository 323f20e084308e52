/**
 * Whether a Host header may be of a page that had its own name resolve to this machine (DNS rebinding). A page cannot
 * change the Host that its browser sends, and can rebind neither an address nor `localhost`.
 *
 * @param ownNames of this server, without ports, in lower case
 */
export function isRebindableHost(host: string | null | undefined, ownNames: readonly string[] = []): boolean {
  const name = (host ?? '').replace(/:\d*$/, '').toLowerCase();
  return name !== 'localhost' && !ownNames.includes(name) && !ADDRESS.test(name);
}

/** IPv4, and IPv6 in brackets. No name of the DNS that a browser resolves ends in a number. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;
