import { SIGN_IN_STATEMENT } from '@/lib/protocol/sign-in/build-sign-in';
import { findNetwork, SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { signInRules } from '../auth/sign-in-rules';
import type { StakingDeployment } from '../config/staking';
import type { Gateway } from '../gateway';
import { json } from '../http/call';
import type { Endpoint } from '../http/endpoint';

/**
 * GET /api/settings: what the console has to know of this gateway before anybody signs in: how to sign in, where to
 * stake, how to pay. Nothing of it is secret. Limited by client address.
 */
export const settings: Endpoint = {
  path: '/api/settings',
  sameOrigin: true,
  GET: (call, gateway) => {
    gateway.consoleLimiter.take(call.clientIp);
    const { profile, staking, walletConnectProjectId } = gateway.config;
    const { tokenSymbols, dailyPoolUsd, deployments } = staking;
    return json({
      profile,
      signIn: signInOf(gateway),
      staking: { symbols: tokenSymbols, dailyPoolUsd, deployments: deployments.map((deployment) => describe(deployment, gateway)) },
      rails: railsOf(gateway),
      walletConnectProjectId: walletConnectProjectId ?? null,
    });
  },
};

/** Exactly what sign-ins are checked against. */
function signInOf({ config, origin }: Gateway) {
  const { chainIds, domains } = signInRules(config, origin);
  return { statement: SIGN_IN_STATEMENT, chainIds: [...chainIds], domains: [...domains] };
}

function describe({ network, primary, stakeToken, staking, dailyCreditToken, dailyCreditPool }: StakingDeployment, { rpc, rails, origin }: Gateway) {
  const usdc = rails.terms.find(({ rpcNetwork }) => rpcNetwork === network)?.asset;
  return {
    network,
    chainId: chainIdOf(network),
    // Wallets reach a stand-in through the gateway, and every other chain by what they know of it themselves.
    rpcUrl: rpc.find(network)?.standIn ? `${origin}/api/sandbox/rpc/${network}` : null,
    primary,
    stakeToken,
    staking,
    dailyCreditToken,
    dailyCreditPool,
    ...(usdc !== undefined && { usdc }),
  };
}

function railsOf({ rails }: Gateway) {
  return rails.terms.map(({ network, name, rpcNetwork, asset, symbol, decimals, payTo }) => ({ network, name, rpcNetwork, asset, symbol, decimals, payTo }));
}

function chainIdOf(slug: string): number | null {
  return (slug === SANDBOX_TESTNET.slug ? SANDBOX_TESTNET : findNetwork(slug))?.chainId ?? null;
}
