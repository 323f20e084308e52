import { apiError } from '@/lib/protocol/errors';
import { isRebindableHost } from '@/lib/protocol/rebindable-host';
import type { Call } from './call';

/**
 * Refuses a request unless its Host is `localhost`, an IP address, or a public URL's host. This prevents DNS rebinding.
 * @throws ApiError 421 WRONG_HOST
 */
export function requireKnownHost(call: Pick<Call, 'header'>, publicUrls: readonly string[]): void {
  const host = call.header('host') ?? '';
  if (!isRebindableHost(host) || publicUrls.some((url) => new URL(url).host === host.toLowerCase())) return;
  throw apiError('WRONG_HOST');
}
