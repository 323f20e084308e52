'use client';

import { useAction } from '../reads/use-action';
import { useWalletChain } from './use-wallet-chain';
import { walletFailureOf } from './wallet-failure';
import { walletLayer } from './wallet-store';

interface ChainSwitch {
  /** Switches the EVM wallet to that chain, adding the chain where the wallet does not know it (EIP-3326). */
  switchChain: () => void;
  /** Adds the chain first, even where the wallet has it: its address may have changed (EIP-3085). */
  addChain: () => void;
  isPending: boolean;
  isDone: boolean;
  /** Why it did not happen, as a sentence. */
  problem: string | null;
  chainName: string;
}

/**
 * Brings the connected EVM wallet to a chain of this gateway.
 * @param chainId of one that people pay on; the one that they stake on unless given
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
      await addChain(await getConnectorClient(layer.evmConfig, { assertChainId: false }), { chain });
    }
    const toOurs = () => switchChain(layer.evmConfig, { chainId: chain.id });
    await toOurs().catch((thrown: unknown) => {
      // A wallet may add a chain without going there (EIP-3085), which the library takes for a refusal.
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
