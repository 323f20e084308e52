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

/** A client of one gateway. Every call rejects with `GatewayError` (an answer other than 2xx) or `UnreachableError` (none). */
export interface TurnpikeClient {
  /** The live list of network slugs, sorted. Public; limited by IP. */
  networks(options?: CallOptions): Promise<readonly string[]>;
  /**
   * Sends one JSON-RPC request, or a batch of up to 100. `body` is a JSON text, sent byte for byte, so that ids
   * and numbers beyond 2^53 arrive as written; or a value, whose bigints are sent as numbers of all their digits.
   */
  rpc(network: string, body: string | RpcRequest | readonly RpcRequest[], options?: RpcCallOptions): Promise<RpcAnswer>;
  /** How the upstreams of every network are. Public, for the console on the gateway's own origin. */
  networkHealth(options?: CallOptions): Promise<readonly NetworkHealth[]>;
  /** What the gateway says of itself to its console, on its own origin: sign-in, staking contracts. Public. */
  settings(options?: CallOptions): Promise<GatewaySettings>;
  /** What all wallets have staked for daily allocations; null where nothing can be staked. Public, for the console on the gateway's own origin. */
  stakingPool(options?: CallOptions): Promise<StakingPool | null>;
  /** The OpenAPI document of this gateway, parsed but not interpreted. Public. */
  description(options?: CallOptions): Promise<unknown>;
  /** GETs any path of the gateway, as `/api/v1/crypto/rpc/networks`. Every status is an answer: rejects with `UnreachableError`, and with `OversizedAnswerError` for one that is too long, alone. */
  read(path: string, options?: CallOptions): Promise<RawAnswer>;
  /** The stand-ins of this installation, or null where the gateway runs live. */
  sandbox(options?: CallOptions): Promise<SandboxInfo | null>;
  /** Sandbox only: funds an EVM or Solana address on the stand-in chains of its family. */
  faucet(address: string, options?: CallOptions): Promise<FaucetReceipt>;
}

/** An answer of any status, as received. */
export interface RawAnswer {
  status: number;
  /** In the order of their names, which are in lower case. */
  headers: readonly (readonly [name: string, value: string])[];
  bodyText: string;
  /** Round trip as seen here, milliseconds. */
  latencyMs: number;
}

export interface RpcCallOptions extends CallOptions {
  /** `^[A-Za-z0-9_-]{1,255}$`; the same key and body within 24 hours are answered from the cache, uncharged. */
  idempotencyKey?: string;
}

/** A JSON-RPC 2.0 request item (spec, "JSON-RPC request item"). */
export interface RpcRequest {
  jsonrpc?: '2.0';
  method: string;
  params?: readonly unknown[];
  id?: number | string | null;
}

/**
 * Makes a client. It holds no state and needs only `fetch`, so it runs in browsers and in Node alike.
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
