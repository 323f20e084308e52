import {
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  type SolanaRpcApi,
} from '@solana/kit';
import { errorText } from '@/lib/client/bounded-answer';
import { parseBigIntegers, stringifyExact } from '@/lib/client/exact-json';
import { readGatewayError } from '@/lib/client/gateway-error';
import { rpcUrl, type Turnpike } from './turnpike';
import { withTypedErrors } from './turnpike-error';

const DEFAULT_NETWORK = 'solana-mainnet';

/**
 * Returns an RPC client of @solana/kit for a network.
 * @throws {TurnpikeError} NETWORK_INVALID
 * @example await turnpikeSolanaRpc(turnpike).getSlot().send()
 */
export function turnpikeSolanaRpc(turnpike: Turnpike, network: string = DEFAULT_NETWORK): Rpc<SolanaRpcApi> {
  return createSolanaRpcFromTransport(turnpikeSolanaTransport(turnpike, network));
}

/**
 * Returns a transport of @solana/kit. A refusal becomes a SolanaError with the gateway's message.
 *
 * @throws {TurnpikeError} NETWORK_INVALID
 */
export function turnpikeSolanaTransport(turnpike: Turnpike, network: string = DEFAULT_NETWORK): RpcTransport {
  const url = rpcUrl(turnpike, network);
  return async <Answer>({ payload, signal }: Parameters<RpcTransport>[0]): Promise<Answer> => {
    const response = await turnpike.fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: stringifyExact(payload),
      signal: signal ?? null,
    });
    // @solana/kit handles JSON-RPC errors in the answer.
    if (response.ok) return parseBigIntegers(await withTypedErrors(() => response.text())) as Answer;
    const { message } = readGatewayError(response, await errorText(response), 0);
    throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
      headers: response.headers,
      message,
      statusCode: response.status,
    });
  };
}

/**
 * Returns the arguments for `Connection` of @solana/web3.js.
 * @throws {TurnpikeError} NETWORK_INVALID
 * @example new Connection(...web3Connection(turnpike))
 */
export function web3Connection(
  turnpike: Turnpike,
  network: string = DEFAULT_NETWORK,
): [endpoint: string, config: { fetch: typeof fetch; disableRetryOnRateLimit: true }] {
  return [rpcUrl(turnpike, network), { fetch: turnpike.fetch, disableRetryOnRateLimit: true }];
}
