import { type Balance, readBalance } from '@/lib/client/billing';
import { answerBoundOf } from '@/lib/client/bounded-answer';
import { boundedResponse } from '@/lib/client/bounded-response';
import { stringifyExact } from '@/lib/client/exact-json';
import { parseBaseUrl, type TurnpikeClientOptions } from '@/lib/client/exchange';
import type { RpcAnswer } from '@/lib/client/rpc-answer';
import { createTurnpikeClient, type RpcCallOptions, type RpcRequest } from '@/lib/client/turnpike-client';
import { networkMeant } from '@/lib/protocol/nearest-networks';
import { NETWORKS } from '@/lib/protocol/networks';
import { nanoUsdOfNumber } from '@/lib/protocol/parse-usd';
import { SIGN_IN_STATEMENT_FORM } from '@/lib/protocol/sign-in/message';
import { readAccount, type TurnpikeAccount } from './account/account';
import type { Wallet } from './account/wallet';
import { type Budget, readBudget } from './budget';
import { readToken } from './known-dollars';
import { paidFetch, type PaidFetchParts } from './paid-fetch';
import { TurnpikeError, withTypedErrors } from './turnpike-error';
import type { EventListener } from './turnpike-event';
import { WalletSignIn } from './wallet-sign-in';
import { type CreditedPayment, WalletTopUp } from './wallet-top-up';

/** Returns a fetch whose answers fail at their endpoint's size limit, because SDKs read answers of any size. */
function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return boundedResponse(await inner(input, init), answerBoundOf(pathname));
  };
}

const TIMEOUT_MS = 180_000;
const STATEMENT_LENGTH_MAX = 200;
const TIMEOUT_MS_MAX = 2_147_483_647;
const VALID_SECONDS = 600;
/**
 * Range of a payment's validity, in seconds. The minimum covers clock differences and slow chains. Gateways accept at
 * most a day.
 */
export const VALID_SECONDS_RANGE = [60, 86_400] as const;

export interface TurnpikeOptions {
  /** URL of the gateway, such as `https://gateway.example`. May have a path prefix. */
  url: string;
  account: TurnpikeAccount;
  /**
   * Limits of automatic top-ups. Without a budget, the client never tops up automatically. Each client counts its
   * spending in memory.
   */
  budget?: Budget;
  /** Called for sign-ins, top-ups and retries. A listener that throws refuses the top-up. */
  onEvent?: EventListener;
  fetch?: typeof fetch;
  /** Maximum milliseconds until an answer begins. Default: three minutes. */
  timeoutMs?: number;
  /**
   * Tokens that count as dollars with 6 decimals, in addition to USDC on Base and Solana. CAIP-19:
   * "eip155:8453/erc20:0x…", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/token:…".
   */
  allowedAssets?: readonly string[];
  /** Longest validity of a signed EVM payment, in seconds from 60 to 86,400. Default: 600. */
  paymentValidSeconds?: number;
  /** URL of a Solana node, for a Solana wallet's payments. For a local sandbox, the client finds the node itself. */
  solanaRpcUrl?: string;
  /** Statement that the wallet shows when it signs in, up to 200 characters. Default: "Sign in to Turnpike". */
  signInStatement?: string;
}

interface CallOptions {
  signal?: AbortSignal;
}

/**
 * Customer of one gateway: signs in and pays for every call. If the balance is too low, tops up within the budget and
 * resends the call.
 *
 * Even if the gateway lies, the wallet never signs a payment beyond the budget, in an unknown token, or valid for
 * longer than a day. A signed payment counts toward the budget until 24 hours after its expiry on the chain. The
 * package writes no file.
 */
export interface Turnpike {
  /** Gateway URL without a trailing slash. */
  readonly url: string;
  /** Fetches any gateway URL, absolute or relative to the gateway's root ("/api/v1/models"). */
  readonly fetch: typeof fetch;
  /** Connection for functions of this package that need one. */
  readonly connection: TurnpikeClientOptions;
  /** Wallet address; null for an API key. Connects the wallet if needed. */
  address(): Promise<string | null>;
  /**
   * Sends a JSON-RPC request or batch under a new Idempotency-Key. Integers beyond 2^53 are bigints, in parameters and
   * in items.
   *
   * @throws {TurnpikeError}
   */
  rpc(network: string, body: string | RpcRequest | readonly RpcRequest[], options?: RpcCallOptions): Promise<RpcAnswer>;
  /** Reads the balances. Free. @throws {TurnpikeError} */
  balance(options?: CallOptions): Promise<Balance>;
  /**
   * Tops up now, within the budget.
   *
   * @param amountUsd default: the budget's topUpUsd, else the gateway's minimum
   * @throws {TurnpikeError}
   */
  topUp(amountUsd?: number, options?: CallOptions): Promise<CreditedPayment>;
  /** Amount that this client topped up within the last 24 hours. */
  spentTodayUsd(): number;
}

/**
 * Creates a customer of a gateway.
 * @throws {TurnpikeError} URL_INVALID, ACCOUNT_UNKNOWN, ACCOUNT_EMPTY, API_KEY_MALFORMED, BUDGET_INVALID,
 * OPTION_INVALID
 * @example
 * const account = privateKeyToAccount(key);
 * const turnpike = createTurnpike({ url: 'https://gateway.example', account, budget: { perDayUsd: 10 } });
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
  const statement = readStatement(options.signInStatement);
  const caller = readAccount(options.account);
  const budget = options.budget === undefined ? null : options.budget;
  if (budget !== null) readBudget(budget);
  const topUp = caller.kind === 'wallet' && budget !== null ? topUpOf(caller.wallet, budget) : null;
  const credential: PaidFetchParts['credential'] =
    caller.kind === 'apiKey'
      ? caller
      : {
          kind: 'wallet',
          signIn: new WalletSignIn({ wallet: caller.wallet, url, statement, onEvent: options.onEvent }),
          topUp,
        };
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

/** Checks a network's slug. @throws {TurnpikeError} NETWORK_INVALID */
export function readNetwork(network: string): string {
  if (typeof network !== 'string' || !/^[a-z0-9][a-z0-9-]{0,99}$/.test(network))
    throw new TurnpikeError('NETWORK_INVALID', {
      message: `${JSON.stringify(network)} is not the name of a network.${networkMeant(String(network), NETWORKS)}`,
    });
  return network;
}

/** @throws {TurnpikeError} NETWORK_INVALID */
export function rpcUrl(turnpike: Pick<Turnpike, 'url'>, network: string): string {
  return `${turnpike.url}/api/v1/crypto/rpc/${readNetwork(network)}`;
}

function requestText(body: string | RpcRequest | readonly RpcRequest[]): string {
  if (typeof body === 'string') return body;
  try {
    return stringifyExact(body);
  } catch (cause) {
    throw new TurnpikeError('OPTION_INVALID', {
      message: `The request cannot be written as JSON: ${cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause)}`,
      remedy: 'Nothing was sent. Pass only JSON values and bigints.',
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
    // For an invalid number, the line below throws.
  }
  throw new TurnpikeError('OPTION_INVALID', {
    message: `${String(amountUsd)} is not a payable amount of USD: it must be more than 0, with at most 6 decimals.`,
  });
}

function readUrl(url: string): string {
  try {
    const { username, password, search, hash } = new URL(url);
    if (username !== '' || password !== '' || search !== '' || hash !== '')
      throw new TurnpikeError('URL_INVALID', {
        message: 'The URL of the gateway must not have a user, a query or a fragment.',
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
      message: `paymentValidSeconds is ${String(seconds)}; it must be a whole number from ${least} to ${most}.`,
    });
  return seconds;
}

function readStatement(statement: string | undefined): string | undefined {
  if (statement !== undefined && !(SIGN_IN_STATEMENT_FORM.test(statement) && statement.length <= STATEMENT_LENGTH_MAX))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `signInStatement is not valid. It must have 1 to ${STATEMENT_LENGTH_MAX} printable ASCII characters, without double quotes and the characters < > % \\ ^ \` { | and }.`,
    });
  return statement;
}

function readTimeout(timeoutMs = TIMEOUT_MS): number {
  if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX))
    throw new TurnpikeError('OPTION_INVALID', {
      message: `timeoutMs is ${String(timeoutMs)}, which is not a valid number of milliseconds.`,
    });
  return timeoutMs;
}
