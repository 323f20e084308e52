import { MINTABLE_TOKEN_ABI, STAKING_ABI } from '@/lib/protocol/contract-abis';
import type { Config } from 'wagmi';
import { writeContract } from 'wagmi/actions';
import { poolStepWords as words } from './words';
import type { PoolAddresses, PoolState } from './pool-state';

/** Transaction that the page asks the wallet to send. */
export interface PoolStep {
  name: string;
  purpose: string;
  /** Reason why the transaction is unnecessary. */
  skipped?: string;
  /** Resolves to the transaction's hash. */
  send: (config: Config) => Promise<`0x${string}`>;
}

/** Returns the two steps of staking: approve, then stake. Skips the approval if the allowance suffices. */
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
 * Returns the unused allowance. This console approves exactly what it stakes, so an unused allowance shows that staking
 * stopped after the first step. Returns 0n if the allowance exceeds the wallet's balance, for example after an
 * unlimited approval.
 */
export function approvedAmount({ allowance, balance }: Pick<PoolState, 'allowance' | 'balance'>): bigint {
  return allowance <= balance ? allowance : 0n;
}

/** Wraps a step so that it calls `forget` once the wallet has sent the transaction. */
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
