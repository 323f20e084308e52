'use client';

import { queryClient } from '@/lib/browser/reads/query-client';
import type { ReadCache } from '@/lib/browser/reads/read-cache';
import { useAction, useReads } from '@/lib/browser/reads/use-read';
import { useCallback } from 'react';
import { askInTime } from './ask-wallet';
import { useWalletChain } from './wallet-chain';
import { walletFailureOf } from './wallet-failure';
import { walletLayer } from './wallet-store';

const SWITCHES_WITHIN_MS = 60_000;

interface ChainSwitch {
  /** Switches the EVM wallet to the requested chain, and adds the chain if the wallet does not know it (EIP-3326). */
  switchChain: () => void;
  /** Adds the chain even if the wallet has it, because the chain's URL may have changed (EIP-3085). Then switches. */
  addChain: () => void;
  isPending: boolean;
  isDone: boolean;
  problem: string | null;
  chainName: string;
}

/**
 * Switches the connected EVM wallet to a chain of this gateway.
 * @param chainId id of a payment chain; by default the staking chain's
 */
export function useSwitchChain(chainId?: number | null): ChainSwitch {
  const own = useWalletChain();
  const chain = own.payChains.find(({ id }) => id === chainId) ?? own.chain;
  const rpcUrl = chain === own.chain ? own.rpcUrl : null;
  const { run, isPending, isDone, error } = useAction(async (addFirst: boolean) => {
    const layer = await walletLayer('evm');
    const { getConnectorClient, switchChain } = await import('wagmi/actions');
    if (addFirst && rpcUrl !== null) {
      const { addChain } = await import('viem/actions');
      const client = await getConnectorClient(layer.evmConfig, { assertChainId: false });
      await askInTime(addChain(client, { chain }), SWITCHES_WITHIN_MS);
    }
    // Limits the wait, because the user may ignore the prompt and a wallet may never report the new chain.
    const toOurs = () => askInTime(switchChain(layer.evmConfig, { chainId: chain.id }), SWITCHES_WITHIN_MS);
    await toOurs().catch((thrown: unknown) => {
      // A wallet may add a chain without switching to it (EIP-3085). wagmi then reports a refusal.
      if (!(thrown instanceof Error) || !thrown.message.includes('after adding network')) throw thrown;
      return toOurs();
    });
  });
  return {
    switchChain: () => void run(false),
    addChain: () => void run(true),
    isPending,
    isDone,
    problem: error === null ? null : walletFailureOf(error).sentence,
    chainName: chain.name,
  };
}

export async function chainChanged(reads: ReadCache): Promise<void> {
  await Promise.all([reads.readAgain(['chain']), queryClient.invalidateQueries({ queryKey: ['chain'] })]);
}

export function useChainChanged(): () => Promise<void> {
  const reads = useReads();
  return useCallback(() => chainChanged(reads), [reads]);
}
