import { isEvmAddress } from '@/lib/protocol/wallet-address';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';
import { amountOf, listOf, recordOf, textOf } from './lenient-values';

/** What GET /api/settings tells the console about this gateway. */
export interface GatewaySettings {
  profile: 'sandbox' | 'live';
  /** Decimal text of USD; null where the gateway does not say. */
  pricePerCreditUsd: string | null;
  signIn: {
    /** What people read when they sign. */
    statement: string;
    /** EVM chains whose sign-in is accepted. */
    chainIds: readonly number[];
  };
  staking: {
    symbols: { stake: string; dailyCredit: string };
    /** What all stakers together may spend in a day, in USD. */
    dailyPoolUsd: number;
    deployments: readonly StakingDeployment[];
  };
  /** How USDC is paid in, in the order in which it is offered; empty where no payments are taken. */
  rails: readonly PaymentRail[];
  /** The least that a top-up may be. */
  minimumTopUpUsd: number;
  /** Wallets on phones are offered only where the operator has a project of WalletConnect. */
  walletConnectProjectId: string | null;
}

/** The staking contracts on one chain. */
export interface StakingDeployment {
  /** Network slug. */
  network: string;
  chainId: number;
  /** Where wallets reach the chain without a credential; null where they have to know one themselves. */
  rpcUrl: string | null;
  /** Whether this one gives the daily allocation. */
  primary: boolean;
  stakeToken: `0x${string}`;
  staking: `0x${string}`;
  dailyCreditToken: `0x${string}`;
  dailyCreditPool: `0x${string}`;
  usdc: `0x${string}` | null;
}

/** One way for money to come in: a token on a chain, and who receives it. */
export interface PaymentRail {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** `base`, `solana`. */
  name: string;
  /** Of the chain, for people: `Base`, `Solana`. */
  title: string;
  /** Slug of the network in the RPC proxy. */
  rpcNetwork: string;
  /** Address or mint of the token. */
  asset: string;
  symbol: string;
  decimals: number;
  payTo: string;
}

/** What the gateway says of itself to its console, on its own origin: sign-in, staking contracts. Public. @throws GatewayError, UnreachableError */
export async function askSettings(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<GatewaySettings> {
  const { body } = await exchanger(options)('GET', '/api/settings', callOptions);
  return readGatewaySettings(body);
}

/** Reads the body of the answer. Never throws: what is not of the known shape is left out. */
export function readGatewaySettings(body: unknown): GatewaySettings {
  const settings = recordOf(body);
  const signIn = recordOf(settings.signIn);
  const staking = recordOf(settings.staking);
  const symbols = recordOf(staking.symbols ?? staking.tokenSymbols);
  return {
    profile: settings.profile === 'live' ? 'live' : 'sandbox',
    pricePerCreditUsd: textOf(settings.pricePerCreditUsd),
    signIn: {
      statement: textOf(signIn.statement) ?? 'Sign in to Turnpike',
      chainIds: listOf(signIn.chainIds).flatMap(chainIdOf),
    },
    staking: {
      symbols: { stake: textOf(symbols.stake) ?? 'TPK', dailyCredit: textOf(symbols.dailyCredit) ?? 'TOLL' },
      dailyPoolUsd: amount(staking.dailyPoolUsd),
      deployments: listOf(staking.deployments).flatMap(readDeployment),
    },
    rails: listOf(settings.rails).flatMap(readRail),
    minimumTopUpUsd: amount(settings.minimumTopUpUsd) || SPECIFIED_MINIMUM_USD,
    walletConnectProjectId: textOf(settings.walletConnectProjectId),
  };
}

/** The specification's, where the gateway does not say its own. */
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

/** As a number, a decimal text, or CAIP-2 (`eip155:8453`). */
function chainIdOf(value: unknown): number[] {
  const id = Number(typeof value === 'string' ? value.replace(/^eip155:/, '') : value);
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

/** A number, or a decimal text; 0 for anything else. */
function amount(value: unknown): number {
  return amountOf(typeof value === 'string' && value.trim() !== '' ? Number(value) : value) ?? 0;
}
