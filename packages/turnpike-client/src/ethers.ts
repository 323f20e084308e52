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
  /** The chain, where asking for it first is to be saved. */
  chain?: Networkish;
}

/**
 * A provider of ethers 6 for a network. Events are polled for, since filters need a node that remembers.
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
  // ethers counts the body, and so does fetch: where undici's own client is in use, the two together are an invalid header.
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
