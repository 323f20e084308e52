import { http, type HttpTransport, type HttpTransportConfig } from 'viem';
import { rpcUrl, type Turnpike } from './turnpike';

/** Time for a sign-in and a top-up that a call may need, milliseconds. */
const TIMEOUT_MS = 180_000;

/**
 * A transport of viem for a network. Calls are repeated by the client itself, under their Idempotency-Key, so viem
 * repeats none unless `retryCount` says so.
 * @throws {TurnpikeError} NETWORK_INVALID
 * @example createPublicClient({ chain: mainnet, transport: turnpikeTransport(turnpike, 'ethereum-mainnet', { batch: true }) })
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
