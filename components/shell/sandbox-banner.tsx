'use client';

import { CopyButton } from '@/components/ui/copy-button';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { classifyFailure } from '@/lib/browser/call-failure';
import { useConnection } from '@/lib/browser/connection/connection';
import { useAction } from '@/lib/browser/reads/use-action';
import { useSandbox } from '@/lib/browser/sandbox';
import { useGatewaySettings } from '@/lib/browser/settings';
import type { SandboxInfo } from '@/lib/client';
import { shellWords } from '@/lib/browser/words/shell';
import { FlaskConical, PlugZap, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { FaucetButton } from './faucet-button';
import { ConnectionStrip } from './status/connection-strip';
import { StandInsButton } from './stand-ins';

/**
 * Banner that says whether the gateway is a sandbox, live or unreachable. Present from the first paint, so that it
 * shifts no layout.
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

/** Returns the gateway's refusal with its advice, for example about a wrong host name. */
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
