'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { useSwitchChain } from '@/lib/browser/wallet/use-switch-chain';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import type { SandboxInfo } from '@/lib/client';
import { shellDialogWords } from '@/lib/browser/words/shell-dialogs';
import { Plus } from 'lucide-react';

const TESTNET = 'sandbox-testnet';

/** Adds the sandbox's chain to MetaMask and similar wallets (EIP-3085), or shows the values to enter. */
export function AddNetwork({ sandbox }: { sandbox: SandboxInfo }) {
  const { evm } = useWallets();
  const { addChain, isPending, isDone, problem, chainName } = useSwitchChain();
  const rpcUrl = `${window.location.origin}/api/sandbox/rpc/${TESTNET}`;
  const chainId = sandbox.evm.find(({ network }) => network === TESTNET)?.chainId;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          disabled={isPending}
          onClick={evm === null || evm.isDemo ? () => chooseWallet('connect') : addChain}
        >
          <Plus aria-hidden />
          {isPending
            ? shellDialogWords.addNetwork.asking
            : shellDialogWords.addNetwork.add(
                chainName,
                evm === null || evm.isDemo ? shellDialogWords.addNetwork.usualWallet : evm.walletName,
              )}
        </Button>
        {isDone && (
          <span role="status" className="text-xs text-good">
            {shellDialogWords.addNetwork.done(chainName)}
          </span>
        )}
        {problem !== null && (
          <span role="alert" className="text-xs text-bad">
            {problem}
          </span>
        )}
      </div>
      <p className="text-xs text-dim">
        {shellDialogWords.addNetwork.byHand} <span className="figures">{chainId}</span>
        {shellDialogWords.addNetwork.rpc} <code className="figures wrap-anywhere">{rpcUrl}</code>{' '}
        <CopyButton text={rpcUrl} label={shellDialogWords.addNetwork.copy} iconOnly className="size-6 align-middle" />
      </p>
    </div>
  );
}
