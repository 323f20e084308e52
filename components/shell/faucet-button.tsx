'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import type { SandboxInfo } from '@/lib/client';
import { shellWords } from '@/lib/browser/words/shell';
import { Droplet } from 'lucide-react';

const FaucetForm = onDemand(() => import('./faucet-form').then((module) => module.FaucetForm), {
  waiting: <Skeleton className="h-52" />,
});

export function FaucetButton({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Dialog>
      <DialogTrigger asChild preload={FaucetForm.preload}>
        <Button tone="quiet" size="sm" className="text-ink">
          <Droplet aria-hidden />
          {shellWords.profile.faucet}
        </Button>
      </DialogTrigger>
      <DialogContent title={shellWords.profile.faucet}>
        <FaucetForm sandbox={sandbox} />
      </DialogContent>
    </Dialog>
  );
}
