import { provideDemoAccount } from '../../db/demo-account';
import type { Database } from '../../db/schema';
import type { RailTerms } from '../../payments/rail-terms';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { sandboxDescription } from '../sandbox/describe';
import { sandboxFaucet } from '../sandbox/faucet';
import { SandboxAccess } from '../sandbox/sandbox-access';
import { sandboxWalletRpc } from '../sandbox/wallet-rpc';
import type { Capability, Ground } from './capability';

/** Simulators of a sandbox gateway. */
export interface StandIns {
  url: string;
  /** Slugs of the simulated networks. */
  networks: ReadonlySet<string>;
  /** Secret from which the demo key is derived. */
  demoSecret: string;
  /** Starts a rail's simulated chain before a payment. */
  prepareRail?: (rail: RailTerms) => Promise<void>;
}

/** Opens the demo account and the endpoints of the simulators, if any. */
export async function openSandbox(
  { config, log, rules }: Ground,
  { db, networks, standIns }: { db: Database; networks: RpcNetworks; standIns: StandIns | null },
) {
  const sandbox =
    standIns &&
    new SandboxAccess(standIns.url, await provideDemoAccount(db, standIns.demoSecret, config.previousSecret?.reveal()));
  return {
    sandbox,
    endpoints: ({ config: { publicUrls, inference, rpc } }) =>
      sandbox === null
        ? []
        : [
            sandboxDescription({
              sandbox,
              origin: rules.origin,
              publicUrls,
              attestationRoots: inference.attestation.roots,
            }),
            sandboxFaucet({ sandbox, publicUrls }),
            sandboxWalletRpc({ networks, publicUrls, requestBytesMax: rpc.requestBytesMax, log }),
          ],
  } satisfies Capability & { sandbox: SandboxAccess | null };
}
