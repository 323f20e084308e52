import { http, type HttpTransport, type HttpTransportConfig } from 'viem';
import { rpcUrl, type Turnpike } from './turnpike';

/** Timeout in milliseconds. It leaves time for a sign-in and a top-up. */
const TIMEOUT_MS = 180_000;

/**
 * Returns a viem transport for a network. The client itself retries calls, so viem retries only if `retryCount` is set.
 * @throws {TurnpikeError} NETWORK_INVALID
 * @example createPublicClient({ chain: mainnet, transport: turnpikeTransport(turnpike, 'ethereum-mainnet', { batch:
 *   true }) })
 */
export function turnpikeTransport(
  turnpike: Turnpike,
  network: string,
  config: Omit<HttpTransportConfig, 'fetchFn'> = {},
): HttpTransport {
  return http(rpcUrl(turnpike, network), {
    name: 'Turnpike',
    retryCount: 0,
    timeout: TIMEOUT_MS,
    ...(config as HttpTransportConfig),
    fetchFn: turnpike.fetch,
  });
}
