import {
  type FetchCancelSignal,
  FetchRequest,
  type GetUrlResponse,
  type JsonRpcApiProviderOptions,
  JsonRpcProvider,
  type Networkish,
} from 'ethers';
import { rpcUrl, type Turnpike } from './turnpike';
import { withTypedErrors } from './turnpike-error';

export interface TurnpikeProviderOptions extends JsonRpcApiProviderOptions {
  /** Chain of the network, so that ethers need not request it first. */
  chain?: Networkish;
}

/**
 * Returns an ethers 6 provider for a network. Polls for events, because filters need a stateful node.
 * @throws {TurnpikeError} NETWORK_INVALID
 * @example await turnpikeProvider(turnpike, 'ethereum-mainnet').getBlockNumber()
 */
export function turnpikeProvider(
  turnpike: Turnpike,
  network: string,
  { chain, ...options }: TurnpikeProviderOptions = {},
): JsonRpcProvider {
  const request = new FetchRequest(rpcUrl(turnpike, network));
  request.getUrlFunc = (asked, cancel) => answered(turnpike, asked, cancel);
  return new JsonRpcProvider(request, chain, { polling: true, ...options });
}

async function answered(
  turnpike: Turnpike,
  { url, method, headers, body }: FetchRequest,
  cancel?: FetchCancelSignal,
): Promise<GetUrlResponse> {
  const abort = new AbortController();
  cancel?.addListener(() => abort.abort());
  // ethers and fetch both set this header, and undici rejects the duplicate.
  const { 'content-length': _length, ...sent } = headers;
  const response = await turnpike.fetch(url, {
    method,
    headers: sent,
    body: body === null ? null : new Uint8Array(body),
    signal: abort.signal,
  });
  return {
    statusCode: response.status,
    statusMessage: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await withTypedErrors(() => response.arrayBuffer())),
  };
}
