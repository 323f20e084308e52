'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { NetworkMark } from '@/components/marks/mark';
import type { SandboxInfo } from '@/lib/client';
import { shellDialogWords } from './dialog-words';

/** Lists the simulated chains with the data that a wallet needs to reach them. */
export function StandInList({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <>
      <p className="text-sm text-dim">{shellDialogWords.standIns.meaning}</p>
      <ul className="grid border-t border-line sm:grid-cols-2 sm:gap-x-6">
        {sandbox.evm.map(({ network, chainId, rpcUrl }) => (
          <ChainRow key={network} network={network} note={shellDialogWords.standIns.chain(chainId)} rpcUrl={rpcUrl} />
        ))}
        {sandbox.solana && (
          <ChainRow
            network={sandbox.solana.network}
            note={shellDialogWords.standIns.solana}
            rpcUrl={sandbox.solana.rpcUrl}
          />
        )}
      </ul>
      <p className="text-sm text-dim">
        {shellDialogWords.standIns.others} <code className="figures text-xs">{shellDialogWords.standIns.metered}</code>
        {shellDialogWords.standIns.end}
      </p>
    </>
  );
}

function ChainRow({ network, note, rpcUrl }: { network: string; note: string; rpcUrl: string }) {
  return (
    <li className="flex items-center gap-3 border-b border-line py-0.5 text-sm">
      <NetworkMark slug={network} className="size-4 shrink-0 text-dim" />
      <span className="min-w-0 flex-1 truncate font-medium">{network}</span>
      <span className="figures text-xs text-dim">{note}</span>
      <CopyButton text={rpcUrl} label={shellDialogWords.standIns.copy(network)} iconOnly />
    </li>
  );
}
