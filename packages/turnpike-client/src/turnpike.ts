import { type Balance, readBalance } from '@/lib/client/billing';
import { stringifyExact } from '@/lib/client/exact-json';
import { parseBaseUrl, type TurnpikeClientOptions } from '@/lib/client/exchange';
import type { RpcAnswer } from '@/lib/client/rpc-answer';
import { createTurnpikeClient, type RpcCallOptions, type RpcRequest } from '@/lib/client/turnpike-client';
import { networkMeant } from '@/lib/protocol/nearest-networks';
import { NETWORKS } from '@/lib/protocol/networks';
import { nanoUsdOfNumber } from '@/lib/protocol/usd-number';
import { readAccount, type TurnpikeAccount } from './account/account';
import type { Wallet } from './account/wallet';
import { boundedFetch } from './bounded-fetch';
import { type Budget, readBudget } from './budget';
import { readToken } from './known-dollars';
import { paidFetch, type PaidFetchParts } from './paid-fetch';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import type { EventListener } from './turnpike-event';
import { WalletSignIn } from './wallet-sign-in';
import { type CreditedPayment, WalletTopUp } from './wallet-top-up';

const TIMEOUT_MS = 180_000;
const TIMEOUT_MS_MAX = 2_147_483_647;
const VALID_SECONDS = 600;
/** Clocks differ, and a chain takes seconds; no gateway takes a payment that is valid for longer than a day. */
export const VALID_SECONDS_RANGE = [60, 86_400] as const;

export interface TurnpikeOptions {
  /** Origin of the gateway, as `https://gateway.example`; a path prefix is kept. */
  url: string;
  /** Who calls, and whose money is spent. */
  account: TurnpikeAccount;
  /** What may be topped up by itself. Without one nothing ever is. Kept in memory: each client has its own. */
  budget?: Budget;
  /** Hears of sign-ins, top-ups and repeated calls; may refuse a top-up by throwing. */
  onEvent?: EventListener;
  /** Replaces the global fetch. */
  fetch?: typeof fetch;
  /** Until an answer begins, milliseconds; three minutes unless given. */
  timeoutMs?: number;
  /**
   * Tokens beside USDC on Base and Solana that are taken for dollars with 6 decimals, each with its chain by CAIP-19:
   * "eip155:8453/erc20:0x…", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:…".
   */
  allowedAssets?: readonly string[];
  /** The longest that a signed payment on an EVM chain may be executable, in seconds from 60 to 86,400; 600 unless given. */
  paymentValidSeconds?: number;
  /** A Solana node, for payments of a Solana wallet; the sandbox's is found. */
  solanaRpcUrl?: string;
}

interface CallOptions {
  signal?: AbortSignal;
}

/** A customer of one gateway: every call is signed in and paid for. */
export interface Turnpike {
  /** Without a trailing slash. */
  readonly url: string;
  /** For whatever has no function here. Addresses are the gateway's, whole or from its root ("/api/v1/models"). */
  readonly fetch: typeof fetch;
  /** For functions of this package that take a connection. */
  readonly connection: TurnpikeClientOptions;
  /** The wallet's; null for an API key. Connects a wallet that is not yet. */
  address(): Promise<string | null>;
  /** Sends a JSON-RPC request or a batch, under an Idempotency-Key of its own. Integers beyond 2^53 are bigints, in parameters and in items. @throws {TurnpikeError} */
  rpc(network: string, body: string | RpcRequest | readonly RpcRequest[], options?: RpcCallOptions): Promise<RpcAnswer>;
  /** What there is to spend. Free. @throws {TurnpikeError} */
  balance(options?: CallOptions): Promise<Balance>;
  /** Tops up now, within the budget. @param amountUsd topUpUsd of the budget, or the gateway's minimum, unless given @throws {TurnpikeError} */
  topUp(amountUsd?: number, options?: CallOptions): Promise<CreditedPayment>;
  /** What this client has topped up within the last 24 hours. */
  spentTodayUsd(): number;
}

/**
 * Makes a customer of a gateway.
 * @throws {TurnpikeError} URL_INVALID, ACCOUNT_UNKNOWN, ACCOUNT_EMPTY, API_KEY_MALFORMED, BUDGET_INVALID, OPTION_INVALID
 * @example
 * const turnpike = createTurnpike({ url: 'https://gateway.example', account: privateKeyToAccount(key), budget: { perDayUsd: 10 } });
 * const { items } = await turnpike.rpc('base-mainnet', { method: 'eth_blockNumber' });
 */
export function createTurnpike(options: TurnpikeOptions): Turnpike {
  const url = readUrl(options.url);
  const timeoutMs = readTimeout(options.timeoutMs);
  const fetchOnce = boundedFetch(options.fetch ?? ((input, init) => fetch(input, init)));
  const allowedAssets = (options.allowedAssets ?? []).map(readToken);
  const validSeconds = readValidSeconds(options.paymentValidSeconds);
  const topUpOf = (wallet: Wallet, budget: Budget): WalletTopUp =>
    new WalletTopUp({
      wallet,
      connection: { baseUrl: url, fetch: fetchOnce },
      budget: readBudget(budget),
      allowedAssets,
      validSeconds,
      solanaRpcUrl: options.solanaRpcUrl ?? null,
      onEvent: options.onEvent,
    });
  const caller = readAccount(options.account);
  const budget = options.budget === undefined ? null : options.budget;
  if (budget !== null) readBudget(budget);
  const topUp = caller.kind === 'wallet' && budget !== null ? topUpOf(caller.wallet, budget) : null;
  const credential: PaidFetchParts['credential'] =
    caller.kind === 'apiKey'
      ? caller
      : { kind: 'wallet', signIn: new WalletSignIn({ wallet: caller.wallet, url, onEvent: options.onEvent }), topUp };
  const ownFetch = paidFetch({ base: url, credential, fetch: fetchOnce, timeoutMs, onEvent: options.onEvent });
  const connection: TurnpikeClientOptions = { baseUrl: url, fetch: ownFetch };
  const client = createTurnpikeClient(connection);
  return {
    url,
    fetch: ownFetch,
    connection,
    address: () => (caller.kind === 'wallet' ? caller.wallet.address() : Promise.resolve(null)),
    rpc: (network, body, callOptions) =>
      withTypedErrors(() => client.rpc(readNetwork(network), requestText(body), callOptions)),
    balance: (callOptions) => withTypedErrors(() => readBalance(connection, callOptions)),
    topUp: (amountUsd, { signal } = {}) => withTypedErrors(() => toppedUp(topUp, amountUsd, signal)),
    spentTodayUsd: () => (topUp?.spentNanoUsd ?? 0) / 1e9,
  };
}

/** A network's slug, as it stands in a path. @throws {TurnpikeError} NETWORK_INVALID */
export function readNetwork(network: string): string {
  if (typeof network !== 'string' || !/^[a-z0-9][a-z0-9-]{0,99}$/.test(network))
    throw new TurnpikeError('NETWORK_INVALID', {
      message: `${JSON.stringify(network)} is not the name of a network.${networkMeant(String(network), NETWORKS)}`,
    });
  return network;
}

/** Where calls of a network go. @throws {TurnpikeError} NETWORK_INVALID */
export function rpcUrl(turnpike: Pick<Turnpike, 'url'>, network: string): string {
  return `${turnpike.url}/api/v1/crypto/rpc/${readNetwork(network)}`;
}

/** A request as JSON, a bigint as a number of all its digits. @throws {TurnpikeError} OPTION_INVALID for what is none */
function requestText(body: string | RpcRequest | readonly RpcRequest[]): string {
  if (typeof body === 'string') return body;
  try {
    return stringifyExact(body);
  } catch (cause) {
    throw new TurnpikeError('OPTION_INVALID', {
      message: `The request cannot be written as JSON: ${cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)}`,
      remedy: 'Nothing was sent. Pass values that JSON has, and bigints.',
      cause,
    });
  }
}

async function toppedUp(
  topUp: WalletTopUp | null,
  amountUsd: number | undefined,
  signal: AbortSignal | undefined,
): Promise<CreditedPayment> {
  if (topUp === null) throw new TurnpikeError('TOP_UP_FORBIDDEN');
  return topUp.make({ chosenNanoUsd: amountUsd === undefined ? null : readAmount(amountUsd) }, signal);
}

function readAmount(amountUsd: number): number {
  try {
    const nanoUsd = nanoUsdOfNumber(amountUsd);
    if (nanoUsd > 0 && nanoUsd % 1_000 === 0) return nanoUsd;
  } catch {
    // Said below.
  }
  throw new TurnpikeError('OPTION_INVALID', {
    message: `${String(amountUsd)} is no amount of USD that can be paid: it is more than 0, with at most 6 decimals.`,
  });
}

function readUrl(url: string): string {
  try {
    const { username, password, search, hash } = new URL(url);
    if (username !== '' || password !== '' || search !== '' || hash !== '')
      throw new TurnpikeError('URL_INVALID', {
        message: 'The URL of the gateway has a user, a query or a fragment, which it cannot have.',
      });
    return parseBaseUrl(url);
  } catch (cause) {
    if (cause instanceof TurnpikeError) throw cause;
    throw new TurnpikeError('URL_INVALID', { message: `${JSON.stringify(url)} is not an http or https URL.`, cause });
  }
}

function readValidSeconds(seconds = VALID_SECONDS): number {
  const [least, most] = VALID_SECONDS_RANGE;
  if (!(Number.isInteger(seconds) && seconds >= least && seconds <= most))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `paymentValidSeconds is ${String(seconds)}; it is a whole number from ${least} to ${most}.`,
    });
  return seconds;
}

function readTimeout(timeoutMs = TIMEOUT_MS): number {
  if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `timeoutMs is ${String(timeoutMs)}, which is no number of milliseconds to wait.`,
    });
  return timeoutMs;
}
