import { isIP } from 'node:net';
import { apiError } from '@/lib/protocol/errors';
import type { Config } from '../config/load';
import type { Call } from './call';

/** Hosts, with their port where it is not the scheme's own, under which people reach the gateway: of its public URLs, else this machine's own names. */
export function publicHosts({ publicUrls, port }: Pick<Config, 'publicUrls' | 'port'>): string[] {
  if (publicUrls.length > 0) return [...new Set(publicUrls.map((url) => new URL(url).host))];
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
}

/**
 * Lets only requests pass that name this machine, an IP address or a public host. A page may have its own name
 * resolve to this machine (DNS rebinding) and be of the gateway's origin for a browser; it cannot change the Host that
 * the browser sends, and an address it cannot rebind.
 *
 * @throws ApiError 421 WRONG_HOST
 */
export function requireKnownHost(call: Pick<Call, 'header'>, config: Pick<Config, 'publicUrls' | 'port'>): void {
  const host = call.header('host') ?? '';
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || isIP(name) !== 0 || publicHosts(config).includes(host.toLowerCase())) return;
  throw apiError('WRONG_HOST');
}
