'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useConnection } from '@/lib/browser/connection/connection';
import { faucetDialog } from '@/lib/browser/page/opened';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import { useAction } from '@/lib/browser/reads/use-read';
import type { SandboxInfo } from '@/lib/client';
import { Droplet, FlaskConical, Info, PlugZap, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConnectionStrip } from './status/strip';
import { shellWords } from './words';

/**
 * Shows whether the gateway is a sandbox, live or unreachable. The banner is on the page from the first paint, so that
 * it shifts no layout.
 */
export function SandboxBanner() {
  const { data, error, isPending, refetch } = useSandbox();
  const again = useAction(refetch);
  const profile = useGatewaySettings().data?.profile;
  const { state } = useConnection();
  if (state === 'offline' || state === 'unanswered') return <ConnectionStrip state={state} />;
  if (isPending && profile === undefined)
    return (
      <Strip className="bg-surface">
        <Skeleton className="h-3 w-72 max-w-[60vw]" />
      </Strip>
    );
  if (data || (isPending && profile === 'sandbox')) return <SandboxStrip sandbox={data ?? null} />;
  if (data === null || isPending) {
    return (
      <Strip className="bg-surface text-dim">
        <Radio aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">{shellWords.profile.live}</span>
      </Strip>
    );
  }
  return (
    <Strip className="bg-bad-soft">
      <PlugZap aria-hidden className="size-4 shrink-0 text-bad" />
      <span role="alert" title={whyUnknown(error)} className="min-w-0 flex-1 truncate">
        {whyUnknown(error)}
      </span>
      <Button size="sm" disabled={again.isPending} onClick={() => void again.run()}>
        {shellWords.profile.tryAgain}
      </Button>
    </Strip>
  );
}

function whyUnknown(error: Error | null): string {
  const failure = error && classifyFailure(error);
  if (failure?.kind !== 'refused' && failure?.kind !== 'intercepted') return shellWords.profile.noAnswer;
  return [failure.error.message, failure.error.detail.hint].filter((sentence) => sentence !== null).join(' ');
}

/** @param sandbox null until the details arrive */
function SandboxStrip({ sandbox }: { sandbox: SandboxInfo | null }) {
  return (
    <Strip className="bg-amber-soft">
      <FlaskConical aria-hidden className="size-4 shrink-0 text-amber-ink" />
      <p className="min-w-0 flex-1 truncate">
        <strong className="font-semibold">{shellWords.profile.sandbox}</strong>
        <span className="text-dim">
          <span className="lg:hidden">{shellWords.profile.sandboxShort}</span>
          <span className="hidden lg:inline">{shellWords.profile.sandboxMeans}</span>
        </span>
      </p>
      {sandbox && (
        <>
          <StandInsButton sandbox={sandbox} />
          <FaucetButton sandbox={sandbox} />
          <CopyButton
            text={sandbox.demoKey}
            label={shellWords.profile.copyDemoKey}
            className="hidden text-ink sm:inline-flex"
          />
          <CopyButton
            text={sandbox.demoKey}
            label={shellWords.profile.copyDemoKey}
            iconOnly
            className="text-ink sm:hidden"
          />
        </>
      )}
    </Strip>
  );
}

function Strip({ className, children }: { className: string; children: ReactNode }) {
  return (
    <section
      aria-label={shellWords.profile.name}
      className={`flex h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-sm pointer-coarse:h-11 short:h-8! short:[&_button]:h-7! lg:px-4 ${className}`}
    >
      {children}
    </section>
  );
}

const StandInList = onDemand(() => import('./stand-in-list').then((module) => module.StandInList), {
  waiting: <Skeleton className="h-72" />,
});

function StandInsButton({ sandbox }: { sandbox: SandboxInfo }) {
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

const FaucetForm = onDemand(() => import('./faucet-form').then((module) => module.FaucetForm), {
  waiting: <Skeleton className="h-52" />,
});

function FaucetButton({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Dialog open={faucetDialog.use()} onOpenChange={faucetDialog.set}>
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
