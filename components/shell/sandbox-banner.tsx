'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useSandbox } from '@/lib/browser/sandbox';
import type { SandboxInfo } from '@/lib/client';
import { FlaskConical, PlugZap, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { FaucetButton } from './faucet-form';
import { StandInsButton } from './stand-ins';

/** One line above everything: what is real here. It is there from the first paint, so nothing moves. */
export function SandboxBanner() {
  const { data, isPending, refetch, isFetching } = useSandbox();
  if (isPending) return <Strip className="bg-surface"><Skeleton className="h-3 w-72 max-w-[60vw]" /></Strip>;
  if (data) return <SandboxStrip sandbox={data} />;
  if (data === null) {
    return (
      <Strip className="bg-surface text-dim">
        <Radio aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">Live: calls reach real networks and are charged.</span>
      </Strip>
    );
  }
  return (
    <Strip className="bg-bad-soft">
      <PlugZap aria-hidden className="size-4 shrink-0 text-bad" />
      <span role="alert" className="min-w-0 flex-1 truncate">The gateway does not answer. Is it still running?</span>
      <Button size="sm" disabled={isFetching} onClick={() => void refetch()}>Try again</Button>
    </Strip>
  );
}

function SandboxStrip({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Strip className="bg-amber-soft">
      <FlaskConical aria-hidden className="size-4 shrink-0 text-amber-ink" />
      <p className="min-w-0 flex-1 truncate">
        <strong className="font-semibold">Sandbox</strong>
        <span className="text-dim">
          <span className="hidden sm:inline">: networks answer from local stand-ins, and no money is real.</span>
        </span>
      </p>
      <StandInsButton sandbox={sandbox} />
      <FaucetButton sandbox={sandbox} />
      <CopyButton text={sandbox.demoKey} label="Copy demo key" className="hidden text-ink sm:inline-flex" />
      <CopyButton text={sandbox.demoKey} label="Copy demo key" iconOnly className="text-ink sm:hidden" />
    </Strip>
  );
}

function Strip({ className, children }: { className: string; children: ReactNode }) {
  return (
    <section aria-label="Profile" className={`flex h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-sm pointer-coarse:h-11 lg:px-4 ${className}`}>
      {children}
    </section>
  );
}
