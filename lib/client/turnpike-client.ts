import {
  type CallOptions,
  credentialHeaders,
  exchanger,
  parseBaseUrl,
  receive,
  type TurnpikeClientOptions,
} from './exchange';
import { stringifyExact } from './exact-json';
import { askSettings, type GatewaySettings } from './gateway-settings';
import { askNetworkHealth, listNetworks, type NetworkHealth } from './network-health';
import { readRpcAnswer, type RpcAnswer } from './rpc-answer';
import { askFaucet, askSandbox, type FaucetReceipt, type SandboxInfo } from './sandbox-info';
import { askStakingPool, type StakingPool } from './staking-pool';

/**
 * Client of one gateway, for browsers and Node. A failed call rejects with `GatewayError` (an error or invalid answer),
 * `OversizedAnswerError` or `UnreachableError` (no answer).
 *
 * Answers are bounded in size and time. Typed answers are validated. The module `private-chat` treats the gateway as an
 * adversary: it verifies enclaves itself and encrypts. The client stores and signs nothing.
 */
export interface TurnpikeClient {
  /** Slugs of the live networks, sorted. Public; limited by IP. */
  networks(options?: CallOptions): Promise<readonly string[]>;
  /**
   * Sends one JSON-RPC request, or a batch of up to 100. A string `body` is sent byte for byte. Bigints are sent with
   * all digits.
   */
  rpc(network: string, body: string | RpcRequest | readonly RpcRequest[], options?: RpcCallOptions): Promise<RpcAnswer>;
  /** State of all networks' upstreams. Public, but without CORS headers. */
  networkHealth(options?: CallOptions): Promise<readonly NetworkHealth[]>;
  /** Console settings. Public, but without CORS headers. */
  settings(options?: CallOptions): Promise<GatewaySettings>;
  /**
   * Total stake for daily allocations; null if there is no staking. Public, but without CORS headers.
   */
  stakingPool(options?: CallOptions): Promise<StakingPool | null>;
  /** Parsed OpenAPI document of this gateway. Public. */
  description(options?: CallOptions): Promise<unknown>;
  /** Gets any path and returns any status. Rejects only with `UnreachableError` or `OversizedAnswerError`. */
  read(path: string, options?: CallOptions): Promise<RawAnswer>;
  sandbox(options?: CallOptions): Promise<SandboxInfo | null>;
  /** Funds an address on the simulated chains. The address format selects EVM or Solana. Sandbox only. */
  faucet(address: string, options?: CallOptions): Promise<FaucetReceipt>;
}

export interface RawAnswer {
  status: number;
  /** Headers sorted by their lower-case names. */
  headers: readonly (readonly [name: string, value: string])[];
  bodyText: string;
  latencyMs: number;
}

export interface RpcCallOptions extends CallOptions {
  /**
   * Must match `^[A-Za-z0-9_-]{1,255}$`. Within 24 hours, a repeat with the same body gets the cached answer and is not
   * charged.
   */
  idempotencyKey?: string;
}

/** JSON-RPC 2.0 request (spec, "JSON-RPC request item"). */
export interface RpcRequest {
  jsonrpc?: '2.0';
  method: string;
  params?: readonly unknown[];
  id?: number | string | null;
}

/**
 * Creates a stateless client.
 * @throws TypeError if `baseUrl` is not an http(s) URL.
 * @example
 * const client = createTurnpikeClient({ baseUrl: 'http://localhost:3000', apiKey });
 * const { items, credits } = await client.rpc('sandbox-testnet', { method: 'eth_blockNumber', id: 1 });
 */
export function createTurnpikeClient(options: TurnpikeClientOptions): TurnpikeClient {
  const call = exchanger(options);
  return {
    networks: (callOptions) => listNetworks(options, callOptions),
    async rpc(network, body, callOptions) {
      const answer = await call('POST', `/api/v1/crypto/rpc/${encodeURIComponent(network)}`, {
        ...callOptions,
        requestText: typeof body === 'string' ? body : stringifyExact(body),
      });
      return readRpcAnswer(answer);
    },
    networkHealth: (callOptions) => askNetworkHealth(options, callOptions),
    settings: (callOptions) => askSettings(options, callOptions),
    stakingPool: (callOptions) => askStakingPool(options, callOptions),
    async description(callOptions) {
      const { body } = await call('GET', '/api/v1/openapi.json', callOptions);
      return body;
    },
    async read(path, { signal = null } = {}) {
      const startedMs = performance.now();
      const { response, bodyText } = await receive(options.fetch ?? fetch, parseBaseUrl(options.baseUrl), path, {
        headers: credentialHeaders(options),
        signal,
      });
      return {
        status: response.status,
        headers: [...response.headers],
        bodyText,
        latencyMs: performance.now() - startedMs,
      };
    },
    sandbox: (callOptions) => askSandbox(options, callOptions),
    faucet: (address, callOptions) => askFaucet(options, address, callOptions),
  };
}
