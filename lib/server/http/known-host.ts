import { isIP } from 'node:net';
import { apiError } from '@/lib/protocol/errors';
import type { Call } from './call';

/**
 * Lets only requests pass that name this machine, an IP address or a public host. A page may have its own name
 * resolve to this machine (DNS rebinding) and be of the gateway's origin for a browser; it cannot change the Host that
 * the browser sends, and an address it cannot rebind.
 *
 * @param publicUrls of the gateway
 * @throws ApiError 421 WRONG_HOST
 */
export function requireKnownHost(call: Pick<Call, 'header'>, publicUrls: readonly string[]): void {
  const host = call.header('host') ?? '';
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || isIP(name) !== 0 || publicUrls.some((url) => new URL(url).host === host.toLowerCase())) return;
  throw apiError('WRONG_HOST');
}
