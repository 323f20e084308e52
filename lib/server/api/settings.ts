import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import type { StakingDeployment } from '../config/staking';
import { json } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import type { GatewayRules } from '../auth/sign-in-rules';
import type { Config } from '../config/load';
import type { AddressLimiter } from '../http/rate-limit/address-limiter';
import type { Rails } from '../payments/rail-terms';
import type { RpcNetworks } from '../upstreams/nodes/networks';

interface SettingsParts {
  config: Pick<
    Config,
    'profile' | 'brand' | 'staking' | 'walletConnectProjectId' | 'pricePerCreditUsd' | 'inference' | 'speech' | 'video'
  >;
  rules: GatewayRules;
  networks: RpcNetworks;
  rails: Rails;
  consoleLimiter: AddressLimiter;
}

export const settingsRoute: Route = { path: '/api/settings', sameOrigin: true };

/**
 * GET /api/settings: how to sign in, stake and pay, and the price of a credit. The console reads this endpoint before
 * sign-in. Rate-limited by client address.
 */
export function settings(parts: SettingsParts): Endpoint {
  return {
    ...settingsRoute,
    GET: (call) => {
      parts.consoleLimiter.take(call.clientIp);
      const { profile, brand, staking, walletConnectProjectId, pricePerCreditUsd } = parts.config;
      const { tokenSymbols, dailyPoolUsd, deployments } = staking;
      return json({
        profile,
        ...(brand.name !== DEFAULT_BRAND.name && { name: brand.name }),
        pricePerCreditUsd,
        signIn: signInOf(parts),
        staking: {
          symbols: tokenSymbols,
          dailyPoolUsd,
          deployments: deployments.map((deployment) => describe(deployment, parts)),
        },
        rails: railsOf(parts),
        minimumTopUpUsd: parts.rails.minimumTopUpUsd,
        walletConnectProjectId: walletConnectProjectId ?? null,
        offers: offersOf(parts),
        ...networksOf(parts),
      });
    },
  };
}

function offersOf({ config: { inference, speech, video, staking }, rails }: SettingsParts) {
  return {
    chat: inference.upstreams.length > 0,
    speech: speech.upstreams.length > 0,
    video: video.upstreams.length > 0,
    topUp: rails.terms.length > 0,
    staking: staking.deployments.length > 0,
  };
}

/**
 * Returns the connected networks. `firstNetwork` is the network for a customer's first call; null if no network is
 * connected.
 */
function networksOf({ networks }: SettingsParts) {
  const connected = networks.backends().map(({ network }) => network);
  const [first] = [
    connected.filter(({ slug }) => slug === 'ethereum-mainnet'),
    connected.filter(({ kind, testnet }) => kind === 'evm' && !testnet),
    connected.filter(({ testnet }) => !testnet),
    connected,
  ].flat();
  return { firstNetwork: first?.slug ?? null, connectedNetworks: connected.map(({ slug }) => slug) };
}

function signInOf({ rules: { chainIds, domains, statement } }: SettingsParts) {
  return { statement, chainIds: [...chainIds], domains: [...domains] };
}

function describe(
  { network, primary, stakeToken, staking, dailyCreditToken, dailyCreditPool }: StakingDeployment,
  { networks, rails, rules }: SettingsParts,
) {
  const usdc = rails.terms.find(({ rpcNetwork }) => rpcNetwork === network)?.asset;
  return {
    network,
    chainId: chainIdOf(network),
    // Wallets need a URL only for a simulated chain, which they reach through the gateway.
    rpcUrl: networks.find(network)?.standIn ? `${rules.origin}/api/sandbox/rpc/${network}` : null,
    primary,
    stakeToken,
    staking,
    dailyCreditToken,
    dailyCreditPool,
    ...(usdc !== undefined && { usdc }),
  };
}

function railsOf({ rails }: SettingsParts) {
  return rails.terms.map(({ network, name, rpcNetwork, asset, symbol, decimals, payTo }) => ({
    network,
    name,
    title: titleOf(rpcNetwork) ?? name,
    rpcNetwork,
    asset,
    symbol,
    decimals,
    payTo,
  }));
}

function titleOf(slug: string): string | undefined {
  return findNetwork(slug)?.name.replace(/ Mainnet$/, '');
}

function chainIdOf(slug: string): number | null {
  return (slug === SANDBOX_TESTNET.slug ? SANDBOX_TESTNET : findNetwork(slug))?.chainId ?? null;
}
