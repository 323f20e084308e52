'use client';

import { useCallback, useState } from 'react';
import type { Config } from 'wagmi';
import { getAccount, waitForTransactionReceipt } from 'wagmi/actions';
import { useChainChanged } from '@/lib/browser/wallet/use-switch-chain';
import type { PoolStep } from './pool-actions';
import { poolStepWords } from './words';

type Hash = `0x${string}`;

export type StepState =
  | { status: 'waiting' }
  | { status: 'skipped'; why: string }
  | { status: 'asking' }
  | { status: 'pending'; hash: Hash }
  | { status: 'done'; hash: Hash }
  | { status: 'failed'; hash: Hash | null; error: unknown };

export interface TrackedStep {
  name: string;
  purpose: string;
  state: StepState;
}

/** Thrown if the wallet is on another chain, where the contract addresses would be wrong. */
export class WrongChainError extends Error {
  override readonly name = 'ChainMismatchError';
}

export class ReplacedTransactionError extends Error {
  override readonly name = 'ReplacedTransactionError';
}

/** Sends transactions one by one. Each transaction waits until the previous one is in a block. */
export function useTransactions(
  config: Config,
  chainId: number,
): {
  steps: readonly TrackedStep[];
  isRunning: boolean;
  run: (plan: readonly PoolStep[]) => Promise<boolean>;
  clear: () => void;
} {
  const [steps, setSteps] = useState<readonly TrackedStep[]>([]);
  const chainChanged = useChainChanged();
  const run = useCallback(
    async (plan: readonly PoolStep[]) => {
      const put = (place: number, state: StepState) =>
        setSteps((before) => before.map((step, index) => (index === place ? { ...step, state } : step)));
      setSteps(
        plan.map(({ name, purpose, skipped }) => ({
          name,
          purpose,
          state: skipped === undefined ? { status: 'waiting' } : { status: 'skipped', why: skipped },
        })),
      );
      for (const [place, step] of plan.entries()) {
        if (step.skipped !== undefined) continue;
        const done = await perform(config, chainId, step, (state) => put(place, state));
        await chainChanged();
        if (!done) return false;
      }
      return true;
    },
    [config, chainId, chainChanged],
  );
  const isRunning = steps.some(({ state }) => state.status === 'asking' || state.status === 'pending');
  return { steps, isRunning, run, clear: () => setSteps([]) };
}

async function perform(
  config: Config,
  chainId: number,
  step: PoolStep,
  put: (state: StepState) => void,
): Promise<boolean> {
  let hash: Hash | null = null;
  let fate: string | null = null;
  try {
    if (getAccount(config).chainId !== chainId) throw new WrongChainError(poolStepWords.otherChain);
    put({ status: 'asking' });
    hash = await step.send(config);
    put({ status: 'pending', hash });
    const receipt = await waitForTransactionReceipt(config, {
      hash,
      chainId,
      onReplaced: ({ reason, transaction }) => {
        hash = transaction.hash;
        if (reason === 'repriced') put({ status: 'pending', hash });
        else fate = reason === 'cancelled' ? poolStepWords.cancelled : poolStepWords.replaced;
      },
    });
    if (fate !== null) throw new ReplacedTransactionError(fate);
    put({ status: 'done', hash: receipt.transactionHash });
    return true;
  } catch (error) {
    put({ status: 'failed', hash, error });
    return false;
  }
}
