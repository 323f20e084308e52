'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { useReadOperation } from '@/components/reference/use-read-operation';
import { BrandLinks } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential } from '@/lib/browser/credential/credential';
import { callHref } from '@/lib/browser/page/console-pages';
import { payerPanel } from '@/lib/browser/page/opened';
import { useGatewaySettings, useSandbox } from '@/lib/browser/reads/settings';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight, Play, Wallet } from 'lucide-react';
import { useId } from 'react';
import { AtAGlance } from './at-a-glance';
import { NextStep } from './next-step';
import { Section } from './section';
import { overviewWords } from './words';

const skeletonWords = overviewWords.lowerHalf;

/** Has the height and headings of the real content, so that links to headings work. */
function LowerHalfSkeleton() {
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-2">
        <Place title={overviewWords.lastCalls.title} className="h-80" />
        <Place title={skeletonWords.dollar} className="h-96" />
        <div className="lg:col-span-2">
          <Place title={skeletonWords.firstCall} className="h-72" />
        </div>
      </div>
      <Place title={skeletonWords.networks} anchor="networks" className="h-[55rem] sm:h-96" />
      <Place title={skeletonWords.models} className="h-[80rem] sm:h-[40rem]" />
    </div>
  );
}

function Place({ title, anchor, className }: { title: string; anchor?: string; className: string }) {
  return (
    <Section title={title} {...(anchor === undefined ? {} : { anchor })}>
      <Skeleton className={className} />
    </Section>
  );
}

const LowerHalf = onApproach(() => import('./lower-half').then((module) => module.LowerHalf), {
  waiting: <LowerHalfSkeleton />,
});

export function Overview() {
  const sandbox = useSandbox();
  const credential = useCredential();
  const isLive = useGatewaySettings().data?.profile === 'live';
  const isVisitor = isLive && credential.kind === 'none';
  const network = sandbox.data === null ? 'ethereum-mainnet' : 'sandbox-testnet';
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-2xl gap-1.5">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">{overviewWords.title}</h1>
          <p className="text-lg text-dim">{overviewWords.intro}</p>
        </div>
        {isVisitor ? (
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={() => chooseWallet('connect')}>
              <Wallet aria-hidden />
              {overviewWords.hero.connect}
            </Button>
            <Button aria-haspopup="dialog" onClick={({ currentTarget }) => payerPanel.set(true, () => currentTarget)}>
              {overviewWords.hero.haveKey}
            </Button>
          </div>
        ) : (
          <Button asChild tone="primary">
            <PageLink href={callHref(network, 'eth_blockNumber')}>
              {overviewWords.makeACall}
              <ArrowRight aria-hidden />
            </PageLink>
          </Button>
        )}
      </header>
      <AtAGlance />
      {isVisitor ? <OpenCall /> : <NextStep network={network} profile={isLive ? 'live' : 'sandbox'} />}
      <LowerHalf network={network} credential={credential} />
      <BrandLinks className="xl:hidden" />
    </div>
  );
}

const ReadAnswer = onDemand(() => import('@/components/reference/read-answer').then((module) => module.ReadAnswer));

const PATH = '/api/v1/crypto/rpc/networks';

const words = overviewWords.hero;

/** Shows a call that anybody can run without a credential. */
function OpenCall() {
  const id = useId();
  const { answer, error, isRunning, run } = useReadOperation();
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-md border border-line px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 id={id} className="text-lg font-semibold">
            {words.title}
          </h2>
          <code className="figures text-sm wrap-anywhere text-dim">{words.call(PATH)}</code>
        </div>
        <Button
          onPointerEnter={ReadAnswer.preload}
          onFocus={ReadAnswer.preload}
          disabled={isRunning}
          onClick={() => run(PATH)}
        >
          <Play aria-hidden />
          {words.run}
        </Button>
      </div>
      {error !== null && <FailureCard error={error} onRetry={() => run(PATH)} />}
      {answer !== null && <ReadAnswer answer={answer} />}
    </section>
  );
}
