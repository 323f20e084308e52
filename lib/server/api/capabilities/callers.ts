import { routes } from '..';
import { Auth } from '../../auth/auth';
import { ContractChecks } from '../../auth/contract-checks';
import { PaymentChallenge, type TopUpOffer } from '../../auth/payment-challenge';
import { SignInVerifier } from '../../auth/sign-in-verifier';
import { PersonalSignatures } from '../../auth/verify-signature';
import type { Meter } from '../../billing/meter';
import { AddressLimiter } from '../../http/rate-limit/address-limiter';
import { CallerLimiter } from '../../http/rate-limit/caller-limiter';
import { chainRequest } from '../../upstreams/nodes/network-client';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { soldResources } from '../discovery/bazaar';
import { offeredRoutes } from '../discovery/offered-routes';
import type { Capability, Ground } from './capability';

const TIMEOUT_MS = 5_000;

/** Checks wallets' signatures. A contract wallet's signature can be checked only by calling the contract. */
export function openSignatures(
  { config, now }: Ground,
  { meter, networks }: { meter: Pick<Meter, 'findWallet'>; networks: RpcNetworks },
) {
  const contractChecks = new ContractChecks({
    perMinute: config.limits.contractSignaturesPerMinutePerIp,
    hasAccount: async (wallet) => (await meter.findWallet(wallet)) !== null,
    now,
  });
  return {
    contractChecks,
    signatures: new PersonalSignatures(
      (chainId) => chainRequest(networks, chainId, { timeoutMs: TIMEOUT_MS }),
      contractChecks,
    ),
    reload:
      ({ limits }) =>
      () =>
        contractChecks.takeLimit(limits.contractSignaturesPerMinutePerIp),
  } satisfies Capability & Record<string, unknown>;
}

interface Needs {
  meter: Meter;
  signatures: PersonalSignatures;
  rails: TopUpOffer;
  perCallMinimumNanoUsd: number | null;
}

/** Identifies callers, limits their requests, and tells callers without a credential how to pay. */
export function openCallers(
  { config, rules, now }: Ground,
  { meter, signatures, rails, perCallMinimumNanoUsd }: Needs,
) {
  const { limits } = config;
  const callerLimiter = new CallerLimiter(limits.requestsPerMinute);
  const strangerLimiter = new AddressLimiter(limits.strangerRequestsPerMinutePerIp);
  let soldAt = soldResources(offeredRoutes(routes, config), config.brand.name);
  const challenge = new PaymentChallenge({
    rules,
    offer: rails,
    perCallMinimumNanoUsd,
    soldAt: (path) => soldAt(path),
    now,
  });
  const signIn = new SignInVerifier(rules, signatures, now);
  return {
    challenge,
    signIn,
    auth: new Auth({ callers: meter, signIn, challenge, callerLimiter, strangerLimiter, now }),
    reload: (next) => () => {
      callerLimiter.limit = next.limits.requestsPerMinute;
      strangerLimiter.limit = next.limits.strangerRequestsPerMinutePerIp;
      soldAt = soldResources(offeredRoutes(routes, next), next.brand.name);
    },
  } satisfies Capability & Record<string, unknown>;
}
