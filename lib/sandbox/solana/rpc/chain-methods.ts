import { toBase58 } from '../address';
import type { SolanaChain } from '../chain';
import { BLOCKHASH_AGE_SLOTS_MAX } from '../slot-clock';
import { decodeMessage } from '../transaction/transaction';
import { feeOf } from '../transaction/fee';
import { standsOnNonce } from '../transaction/nonce';
import { SLOTS_PER_EPOCH } from '../vm';
import { invalidParams, type Json, RPC_CODES, RpcError } from './json-rpc';
import { API_VERSION, type Method, withContext } from './method';
import { parseAddressParam, type Params } from './params';
import { decodeBase64 } from './wire-text';

const LEADERS_MAX = 5_000;
const FEES_ACCOUNTS_MAX = 128;
/** Minimum stake delegation in lamports, as on the public network. */
const STAKE_MINIMUM = 1n;
const MESSAGE_BYTES_MAX = 1_232;

const constant =
  (value: Json | ((chain: SolanaChain) => Json)): Method =>
  (chain, params) => {
    params.config(0);
    return typeof value === 'function' ? value(chain) : value;
  };
const currentSlot = constant((chain) => chain.clock.now());
const noRewards: Method = (_chain, params) => params.array(0, 1_024).map(() => null);

/** Methods about the chain as a whole. The chain has no inflation, and its only node leads every slot. */
export const CHAIN_METHODS: Readonly<Record<string, Method>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0 }),
  getGenesisHash: (chain) => toBase58(chain.clock.genesisHash),
  getIdentity: (chain) => ({ identity: identityOf(chain) }),
  getSlot: currentSlot,
  getBlockHeight: currentSlot,
  getMaxRetransmitSlot: currentSlot,
  getMaxShredInsertSlot: currentSlot,
  getFirstAvailableBlock: () => 0,
  minimumLedgerSlot: () => 0,
  getSlotLeader: constant(identityOf),
  getSlotLeaders: (chain, params) => {
    params.count(0);
    const limit = params.count(1);
    if (limit < 1 || limit > LEADERS_MAX) throw invalidParams(`Invalid limit; max ${LEADERS_MAX}`);
    return Array.from({ length: limit }, () => identityOf(chain));
  },
  getLeaderSchedule: () => null,
  getClusterNodes: (chain) => [
    {
      pubkey: identityOf(chain),
      gossip: null,
      tpu: null,
      tpuQuic: null,
      rpc: null,
      pubsub: null,
      version: API_VERSION,
      featureSet: 0,
      shredVersion: 0,
    },
  ],
  getVoteAccounts: constant({ current: [], delinquent: [] }),
  getLatestBlockhash: (chain, params) => {
    params.config(0);
    const slot = chain.clock.now();
    return withContext(chain, {
      blockhash: chain.clock.blockhashText(slot),
      lastValidBlockHeight: slot + BLOCKHASH_AGE_SLOTS_MAX,
    });
  },
  isBlockhashValid: (chain, params) => {
    params.config(1);
    return withContext(chain, chain.clock.isRecent(params.address(0)));
  },
  getFeeForMessage: (chain, params) => {
    params.config(1);
    const message = decodeBase64(params.text(0), MESSAGE_BYTES_MAX, decodeMessage);
    const isTimely =
      chain.clock.isRecent(message.recentBlockhash) || standsOnNonce(message, (address) => chain.account(address));
    return withContext(chain, isTimely ? feeOf(message) : null);
  },
  getRecentPrioritizationFees: (chain, params) => {
    if (params.has(0)) params.array(0, FEES_ACCOUNTS_MAX).forEach(parseAddressParam);
    return [{ slot: chain.clock.now(), prioritizationFee: 0 }];
  },
  getRecentPerformanceSamples: () => [],
  getEpochInfo: constant((chain) => {
    const slot = chain.clock.now();
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: chain.ledger.totals().transactions,
    };
  }),
  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getTransactionCount: constant((chain) => chain.ledger.totals().transactions),
  getStakeMinimumDelegation: (chain, params) => {
    params.config(0);
    return withContext(chain, STAKE_MINIMUM);
  },
  getInflationGovernor: constant({ initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 }),
  getInflationRate: (chain) => ({
    total: 0,
    validator: 0,
    foundation: 0,
    epoch: Math.floor(chain.clock.now() / SLOTS_PER_EPOCH),
  }),
  getInflationReward: noRewards,
  getHighestSnapshotSlot: () => {
    throw new RpcError(RPC_CODES.noSnapshot, 'No snapshot');
  },
  getBlockProduction: (chain, params: Params) => {
    params.config(0);
    const lastSlot = chain.clock.now();
    const firstSlot = lastSlot - (lastSlot % SLOTS_PER_EPOCH);
    const produced = lastSlot - firstSlot + 1;
    return withContext(chain, {
      byIdentity: { [identityOf(chain)]: [produced, produced] },
      range: { firstSlot, lastSlot },
    });
  },
};

function identityOf(chain: SolanaChain): string {
  return toBase58(chain.faucetAddress);
}
