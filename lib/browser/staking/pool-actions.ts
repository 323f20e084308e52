import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import type { Config } from 'wagmi';
import { writeContract } from 'wagmi/actions';
import { poolStepWords as words } from '../words/staking';
import type { PoolAddresses, PoolState } from './pool-state';

/** A transaction that the wallet is going to be asked for. */
export interface PoolStep {
  name: string;
  /** What it does, as a sentence. */
  purpose: string;
  /** Why it is not needed; absent where it is. */
  skipped?: string;
  /** Asks the wallet; resolves to the hash once it was sent. */
  send: (config: Config) => Promise<`0x${string}`>;
}

/** The steps of staking: approve, unless the allowance suffices, then stake. */
export function stakeSteps({ chainId, token, pool }: PoolAddresses, state: PoolState, amount: bigint): PoolStep[] {
  return [
    {
      name: words.approve.name(state.symbol),
      purpose: words.approve.purpose,
      ...(state.allowance >= amount ? { skipped: words.approve.skipped } : {}),
      send: (config) =>
        writeContract(config, {
          abi: MINTABLE_TOKEN_ABI,
          address: token,
          chainId,
          functionName: 'approve',
          args: [pool, amount],
        }),
    },
    {
      name: words.stake.name(state.symbol),
      purpose: words.stake.purpose,
      send: (config) =>
        writeContract(config, { abi: STAKING_ABI, address: pool, chainId, functionName: 'stake', args: [amount] }),
    },
  ];
}

/** Asking staked tokens back: their cooldown begins. */
export function unstakeSteps({ chainId, pool }: PoolAddresses, state: PoolState, amount: bigint): PoolStep[] {
  return [
    {
      name: words.unstake.name(state.symbol),
      purpose: words.unstake.purpose,
      send: (config) =>
        writeContract(config, {
          abi: STAKING_ABI,
          address: pool,
          chainId,
          functionName: 'initiateUnstake',
          args: [amount],
        }),
    },
  ];
}

/** Taking tokens whose cooldown has passed. */
export function withdrawSteps({ chainId, pool }: PoolAddresses, state: PoolState): PoolStep[] {
  return [
    {
      name: words.withdraw.name(state.symbol),
      purpose: words.withdraw.purpose,
      send: (config) => writeContract(config, { abi: STAKING_ABI, address: pool, chainId, functionName: 'unstake' }),
    },
  ];
}

/**
 * What the contract may take and has not taken yet: staking that was left after its first step, by a reload or a
 * refusal, for this console approves exactly what it stakes. 0n where the wallet no longer has as much, or where
 * somebody else's program approved an amount without a bound.
 */
export function approvedAmount({ allowance, balance }: Pick<PoolState, 'allowance' | 'balance'>): bigint {
  return allowance <= balance ? allowance : 0n;
}

/** The same step, which says when the wallet has sent it. */
export function forgetOnceSent(step: PoolStep, forget: () => void): PoolStep {
  return {
    ...step,
    send: async (config) => {
      const hash = await step.send(config);
      forget();
      return hash;
    },
  };
}
