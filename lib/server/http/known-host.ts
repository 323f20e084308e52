import { apiError } from '@/lib/protocol/errors';
import { isRebindableHost } from '@/lib/protocol/rebindable-host';
import type { Call } from './call';

/**
 * Lets only requests pass that name this machine, an IP address or a public host: a page that rebinds its own name would
 * be of the gateway's origin for a browser.
 *
 * @param publicUrls of the gateway
 * @throws ApiError 421 WRONG_HOST
 */
export function requireKnownHost(call: Pick<Call, 'header'>, publicUrls: readonly string[]): void {
  const host = call.header('host') ?? '';
  if (!isRebindableHost(host) || publicUrls.some((url) => new URL(url).host === host.toLowerCase())) return;
  throw apiError('WRONG_HOST');
}
