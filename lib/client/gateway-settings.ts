import { BRAND_NAME, DEFAULT_BRAND } from '@/lib/protocol/brand';
import { recordOf } from '@/lib/protocol/json-record';
import { isEvmAddress } from '@/lib/protocol/wallet-address';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';
import { amountOf, listOf, textOf } from './lenient-values';

/** Answer of GET /api/settings. */
export interface GatewaySettings {
  profile: 'sandbox' | 'live';
  name: string;
  /** Decimal USD; null if not stated. */
  pricePerCreditUsd: string | null;
  signIn: {
    /** Statement in the sign-in message that wallets sign. */
    statement: string;
    /** Ids of the EVM chains whose wallets can sign in. */
    chainIds: readonly number[];
  };
  staking: {
    symbols: { stake: string; dailyCredit: string };
    /** Daily allocation of all stakers together, in USD. */
    dailyPoolUsd: number;
    deployments: readonly StakingDeployment[];
  };
  /** Rails for USDC payments in display order. */
  rails: readonly PaymentRail[];
  minimumTopUpUsd: number;
  /** Id of the operator's WalletConnect project, which wallets on phones need. */
  walletConnectProjectId: string | null;
  /**
   * Features by name: chat, speech, video, topUp, staking. The value `false` means that the gateway does not offer the
   * feature.
   */
  offers: Readonly<Record<string, unknown>>;
  /** Live network that the console suggests for a first call; null if unknown. */
  firstNetwork: string | null;
  /** Slugs of the networks that have an upstream; null if unknown. */
  connectedNetworks: readonly string[] | null;
}

export interface StakingDeployment {
  network: string;
  chainId: number;
  /** RPC URL of the chain, for wallets; null if the gateway publishes none. */
  rpcUrl: string | null;
  /** True for the deployment whose stakes determine the daily allocation. */
  primary: boolean;
  stakeToken: `0x${string}`;
  staking: `0x${string}`;
  dailyCreditToken: `0x${string}`;
  dailyCreditPool: `0x${string}`;
  usdc: `0x${string}` | null;
}

/** Payment rail: a token on a chain, with its recipient. */
export interface PaymentRail {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** Short name, such as `base` or `solana`. */
  name: string;
  /** Display name, such as `Base` or `Solana`. */
  title: string;
  rpcNetwork: string;
  /** Address or mint of the token. */
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

/** Fetches the console's settings. Public, but without CORS headers. @throws {GatewayError | UnreachableError} */
export async function askSettings(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<GatewaySettings> {
  const { body } = await exchanger(options)('GET', '/api/settings', callOptions);
  return readGatewaySettings(body);
}

/** Parses settings. Never throws; leaves out malformed parts. */
export function readGatewaySettings(body: unknown): GatewaySettings {
  const settings = recordOf(body);
  const signIn = recordOf(settings.signIn);
  const staking = recordOf(settings.staking);
  const symbols = recordOf(staking.symbols ?? staking.tokenSymbols);
  return {
    profile: settings.profile === 'live' ? 'live' : 'sandbox',
    name: nameOf(settings.name),
    pricePerCreditUsd: textOf(settings.pricePerCreditUsd),
    signIn: {
      statement: textOf(signIn.statement) ?? DEFAULT_BRAND.signInStatement,
      chainIds: listOf(signIn.chainIds).flatMap(chainIdOf),
    },
    staking: {
      symbols: { stake: textOf(symbols.stake) ?? 'TPK', dailyCredit: textOf(symbols.dailyCredit) ?? 'TOLL' },
      dailyPoolUsd: amount(staking.dailyPoolUsd),
      deployments: listOf(staking.deployments).flatMap(readDeployment),
    },
    rails: listOf(settings.rails).flatMap(readRail),
    offers: recordOf(settings.offers),
    firstNetwork: textOf(settings.firstNetwork),
    connectedNetworks: Array.isArray(settings.connectedNetworks)
      ? settings.connectedNetworks.flatMap((slug) => textOf(slug) ?? [])
      : null,
    minimumTopUpUsd: amount(settings.minimumTopUpUsd) || SPECIFIED_MINIMUM_USD,
    walletConnectProjectId: textOf(settings.walletConnectProjectId),
  };
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && BRAND_NAME.test(value) ? value : DEFAULT_BRAND.name;
}

const SPECIFIED_MINIMUM_USD = 5;
const DECIMALS_MAX = 36;

function readRail(value: unknown): PaymentRail[] {
  const { network, name, title, rpcNetwork, asset, symbol, decimals, payTo } = recordOf(value);
  const texts = [network, name, rpcNetwork, asset, symbol, payTo].map(textOf);
  if (texts.some((each) => each === null) || !/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(String(network))) return [];
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS_MAX) return [];
  const [caip2 = '', railName = '', slug = '', token = '', unit = '', receiver = ''] = texts as string[];
  return [
    {
      network: caip2,
      name: railName,
      title: textOf(title) ?? railName,
      rpcNetwork: slug,
      asset: token,
      symbol: unit,
      decimals,
      payTo: receiver,
    },
  ];
}

function readDeployment(value: unknown): StakingDeployment[] {
  const { network, chainId, rpcUrl, primary, stakeToken, staking, dailyCreditToken, dailyCreditPool, usdc } =
    recordOf(value);
  const slug = textOf(network);
  const id = chainIdOf(chainId)[0];
  if (slug === null || id === undefined) return [];
  if (
    !isEvmAddress(stakeToken) ||
    !isEvmAddress(staking) ||
    !isEvmAddress(dailyCreditToken) ||
    !isEvmAddress(dailyCreditPool)
  )
    return [];
  return [
    {
      network: slug,
      chainId: id,
      rpcUrl: textOf(rpcUrl),
      primary: primary === true,
      stakeToken,
      staking,
      dailyCreditToken,
      dailyCreditPool,
      usdc: isEvmAddress(usdc) ? usdc : null,
    },
  ];
}

function chainIdOf(value: unknown): number[] {
  const id = Number(typeof value === 'string' ? value.replace(/^eip155:/, '') : value);
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

function amount(value: unknown): number {
  return amountOf(typeof value === 'string' && value.trim() !== '' ? Number(value) : value) ?? 0;
}
