'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import type { SandboxInfo } from '@/lib/client';
import { Info } from 'lucide-react';

/** What stands in for what in this installation. */
export function StandInsButton({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button tone="quiet" size="sm" className="text-ink">
          <Info aria-hidden />
          <span className="sr-only md:not-sr-only">What is a stand-in?</span>
        </Button>
      </DialogTrigger>
      <DialogContent
        title="Stand-ins of this sandbox"
        description="A stand-in does the real work on this machine: a chain of its own that executes, mines and keeps its state, with the chain id of the network it stands for. Answers are true of the stand-in, not of the real network."
        className="max-w-2xl"
      >
        <ul className="grid divide-y divide-line overflow-hidden rounded-md border border-line">
          {sandbox.evm.map(({ network, chainId, rpcUrl }) => (
            <ChainRow key={network} network={network} note={`chain ${chainId}`} rpcUrl={rpcUrl} />
          ))}
          {sandbox.solana && <ChainRow network={sandbox.solana.network} note="Solana" rpcUrl={sandbox.solana.rpcUrl} />}
        </ul>
        <p className="text-sm text-dim">
          A network that is not listed has no stand-in: it answers only where the operator has connected a node. Chains start with their first call, which takes a moment longer. Wallets talk to the addresses above without a key; the gateway meters what goes through <code className="figures text-xs">/api/v1</code>.
        </p>
      </DialogContent>
    </Dialog>
  );
}

function ChainRow({ network, note, rpcUrl }: { network: string; note: string; rpcUrl: string }) {
  return (
    <li className="flex items-center gap-3 px-3 py-1.5 text-sm">
      <span className="min-w-0 flex-1 truncate font-medium">{network}</span>
      <span className="figures text-xs text-dim">{note}</span>
      <CopyButton text={rpcUrl} label={`Copy the RPC address of ${network}`} iconOnly />
    </li>
  );
}
