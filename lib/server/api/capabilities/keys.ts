import type { Mint } from '../../auth/minting/mint-key';
import { MintTokens } from '../../auth/minting/mint-tokens';
import type { PersonalSignatures } from '../../auth/verify-signature';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { StakeReader } from '../../billing/allocation/stake-reader';
import { KeyAlerts } from '../../billing/key-alerts/key-alerts';
import { WebhookSender } from '../../billing/key-alerts/webhook';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { generateWeb3Key } from '../api_keys/generate-web3-key';
import { keyById } from '../api_keys/key-by-id';
import { apiKeys } from '../api_keys/keys';
import { rateLimits } from '../api_keys/rate-limits';
import type { Capability, Ground } from './capability';

interface Needs {
  db: Database;
  meter: Meter;
  networks: RpcNetworks;
  signatures: PersonalSignatures;
  stake: StakeReader;
  allocations: DailyAllocations;
  webhooks: WebhookSender;
}

/** Creates the endpoints that mint, list and change API keys. */
export function openKeys({ config, now, rules }: Ground, needs: Needs): Capability {
  const { db, meter, networks, stake, allocations } = needs;
  const tokens = new MintTokens(config.secret, config.previousSecret, config.brand.slug);
  const webhooks = { config: config.webhooks, sender: needs.webhooks };
  return {
    endpoints: ({ config: { staking, limits }, auth, addressLimiter }) => {
      // Contract wallets' signatures are verified on the chains with a staking deployment.
      const chainIds = staking.deployments.flatMap(({ network }) => networks.find(network)?.network.chainId ?? []);
      const minting: Mint = {
        db,
        stake,
        tokens,
        stakeSymbol: staking.tokenSymbols.stake,
        canStake: staking.deployments.length > 0,
        verifySignature: async (claim, caller) =>
          (await needs.signatures.judge({ ...claim, chainIds }, caller)).verdict,
      };
      return [
        generateWeb3Key({ minting, tokens, allocations, networks, webhooks, addressLimiter, rules, now }),
        apiKeys({ auth, db, meter, networks, webhooks, now }),
        rateLimits({ auth, allocations, db, limits, now }),
        keyById({ auth, db, now }),
      ];
    },
  };
}

/** Starts the alerts that tell a key's owner when the key has spent a chosen amount. */
export function openKeyAlerts({ config, log, now }: Ground, { db }: { db: Database }) {
  const webhooks = new WebhookSender(config.secret, config.webhooks, config.previousSecret, config.brand.name);
  const alerts = new KeyAlerts({ db, webhooks, now, log });
  alerts.start();
  return {
    webhooks,
    close: async () => {
      await alerts.stop();
      await webhooks.close();
    },
  } satisfies Capability & { webhooks: WebhookSender };
}
