/** What GET /api/settings tells the console about this gateway. */
export interface GatewaySettings {
  profile: 'sandbox' | 'live';
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

/** Reads the body of the answer. Never throws: what is not of the known shape is left out. */
export function readGatewaySettings(body: unknown): GatewaySettings {
  const settings = record(body);
  const signIn = record(settings.signIn);
  const staking = record(settings.staking);
  const symbols = record(staking.symbols ?? staking.tokenSymbols);
  return {
    profile: settings.profile === 'live' ? 'live' : 'sandbox',
    signIn: { statement: text(signIn.statement) ?? 'Sign in to Turnpike', chainIds: list(signIn.chainIds).flatMap(chainIdOf) },
    staking: {
      symbols: { stake: text(symbols.stake) ?? 'TPK', dailyCredit: text(symbols.dailyCredit) ?? 'TOLL' },
      dailyPoolUsd: amount(staking.dailyPoolUsd),
      deployments: list(staking.deployments).flatMap(readDeployment),
    },
    walletConnectProjectId: text(settings.walletConnectProjectId),
  };
}

function readDeployment(value: unknown): StakingDeployment[] {
  const { network, chainId, rpcUrl, primary, stakeToken, staking, dailyCreditToken, dailyCreditPool, usdc } = record(value);
  const slug = text(network);
  const id = chainIdOf(chainId)[0];
  if (slug === null || id === undefined) return [];
  if (!isAddress(stakeToken) || !isAddress(staking) || !isAddress(dailyCreditToken) || !isAddress(dailyCreditPool)) return [];
  return [{ network: slug, chainId: id, rpcUrl: text(rpcUrl), primary: primary === true, stakeToken, staking, dailyCreditToken, dailyCreditPool, usdc: isAddress(usdc) ? usdc : null }];
}

/** As a number, a decimal text, or CAIP-2 (`eip155:8453`). */
function chainIdOf(value: unknown): number[] {
  const id = Number(typeof value === 'string' ? value.replace(/^eip155:/, '') : value);
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}

function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
}

/** A number, or a decimal text; 0 for anything else. */
function amount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : 0;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
