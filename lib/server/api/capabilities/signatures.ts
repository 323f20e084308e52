import { ContractChecks } from '../../auth/contract-checks';
import { PersonalSignatures } from '../../auth/verify-signature';
import type { Meter } from '../../billing/meter';
import { chainRequest } from '../../upstreams/nodes/network-client';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Timeout of each request that checks a contract wallet's signature on a chain. */
const TIMEOUT_MS = 5_000;

/** Checks wallets' signatures. A contract wallet's signature can be checked only on a chain. */
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
