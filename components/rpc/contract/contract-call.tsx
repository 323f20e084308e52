'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { rpcContractWords } from '@/lib/browser/words/rpc-tools';
import { FileCode2 } from 'lucide-react';
import { useState } from 'react';

const ContractForm = onDemand(() => import('./contract-form').then((module) => module.ContractForm), {
  waiting: <Skeleton className="h-80" />,
});

/** Opens a form that writes an `eth_call` from an ABI. */
export function ContractCall({ text, onWrite }: { text: string; onWrite: (text: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild preload={ContractForm.preload}>
        <Button size="sm" className="justify-self-start">
          <FileCode2 aria-hidden />
          {rpcContractWords.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={rpcContractWords.title} description={rpcContractWords.description} className="max-w-2xl">
        <ContractForm
          text={text}
          onWrite={(written) => {
            onWrite(written);
            setOpen(false);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
