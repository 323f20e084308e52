'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import type { SandboxInfo } from '@/lib/client';
import { shellWords } from '@/lib/browser/words/shell';
import { Info } from 'lucide-react';

const StandInList = onDemand(() => import('./stand-in-list').then((module) => module.StandInList), {
  waiting: <Skeleton className="h-72" />,
});

export function StandInsButton({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Dialog>
      <DialogTrigger asChild preload={StandInList.preload}>
        <Button tone="quiet" size="sm" className="text-ink">
          <Info aria-hidden />
          <span className="sr-only md:not-sr-only">{shellWords.profile.standIns}</span>
        </Button>
      </DialogTrigger>
      <DialogContent title={shellWords.profile.standInsTitle} className="max-w-2xl">
        <StandInList sandbox={sandbox} />
      </DialogContent>
    </Dialog>
  );
}
