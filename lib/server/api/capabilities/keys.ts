import type { Mint } from '../../auth/minting/mint-key';
import { MintTokens } from '../../auth/minting/mint-tokens';
import type { PersonalSignatures } from '../../auth/verify-signature';
import type { DailyAllocations } from '../../billing/allocation/daily-allocations';
import type { StakeReader } from '../../billing/allocation/stake-reader';
import type { WebhookSender } from '../../billing/key-alerts/webhook';
import type { Meter } from '../../billing/meter';
import type { Database } from '../../db/schema';
import type { RpcNetworks } from '../../upstreams/nodes/networks';
import { generateWeb3Key } from '../api_keys/generate-web3-key';
import { keyById } from '../api_keys/key-by-id';
import { apiKeys } from '../api_keys/keys';
import { rateLimits } from '../api_keys/rate-limits';
import type { Capability } from './capability';
import type { Ground } from './ground';

interface Needs {
  db: Database;
  meter: Meter;
  networks: RpcNetworks;
  signatures: PersonalSignatures;
  stake: StakeReader;
  allocations: DailyAllocations;
  webhooks: WebhookSender;
}

/** Mints API keys for wallets, and lets callers list and change their keys. */
export function openKeys({ config, now, rules }: Ground, needs: Needs): Capability {
  const { db, meter, networks, stake, allocations } = needs;
  const tokens = new MintTokens(config.secret, config.previousSecret, config.brand.slug);
  const webhooks = { config: config.webhooks, sender: needs.webhooks };
  return {
    endpoints: ({ config: { staking, limits }, auth, addressLimiter }) => {
      // Contract wallets are verified on the chains with a staking deployment.
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
