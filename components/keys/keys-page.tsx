'use client';

import { RequestCode } from '@/components/samples/request-code';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useListCredential } from '@/lib/browser/credential/use-keys';
import { useGatewaySettings, useIsPageOffered } from '@/lib/browser/reads/settings';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import { chooseWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { Ban, Blocks, Gauge, ListOrdered, Wallet } from 'lucide-react';
import { keyRequests } from './key-requests';
import { POOL_HEIGHTS } from './pool-heights';
import { StakeCalculator } from './stake-calculator';
import { keysWords as words, keysWords } from './words';

const KeyListSection = onDemand(() => import('./key-list-section').then((module) => module.KeyListSection));
const MintSection = onDemand(() => import('./mint-section').then((module) => module.MintSection), {
  waiting: <MintSkeleton />,
});
const StakingSection = onDemand(() => import('./staking/staking-section').then((module) => module.StakingSection), {
  waiting: <PoolsSkeleton />,
});

export function KeysPage() {
  const { evm, solana, layer } = useWallets();
  const hydrated = useHydrated();
  const credential = useListCredential(evm);
  const settings = useGatewaySettings();
  const { deployment } = useWalletChain();
  const isOffered = useIsPageOffered();
  // The library of a remembered wallet may still be loading.
  const isFinding = evm !== null && !settings.isError && (layer === null || !settings.data);
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header className="grid max-w-2xl gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight max-sm:sr-only">{words.title}</h1>
        <p className="text-dim">{words.intro}</p>
      </header>
      {evm === null && isOffered('/keys') && (
        // The server renders this content. Until hydration, a browser with a remembered wallet shows reserved space
        // instead.
        <div className={hydrated ? 'contents' : 'contents in-[[data-wallets~=evm]]:hidden'}>
          <NoWallet hasSolana={solana !== null} isSandbox={settings.data?.profile === 'sandbox'} />
          <HowKeysWork stakeSymbol={settings.data?.staking.symbols.stake ?? 'TPK'} />
          <div className="grid gap-4 lg:grid-cols-2">
            <StakeCalculator
              symbol={settings.data?.staking.symbols.dailyCredit ?? 'TOLL'}
              dailyPoolUsd={settings.data?.staking.dailyPoolUsd ?? 0}
            />
            <WhatKeysDo />
          </div>
        </div>
      )}
      {!hydrated && (
        <div className="hidden in-[[data-wallets~=evm]]:contents">
          <StakingSkeleton />
        </div>
      )}
      {evm !== null && settings.isError && (
        <Notice
          tone="bad"
          title={words.noContractsKnown}
          actions={
            <Button size="sm" onClick={() => void settings.refetch()}>
              {words.tryAgain}
            </Button>
          }
        >
          {settings.error.message}
        </Notice>
      )}
      {settings.data && (evm === null ? !isOffered('/keys') : deployment === null) && (
        <Notice tone="warn" title={words.noContracts}>
          {words.askOperator(isOffered('/top-up'))}
        </Notice>
      )}
      {isFinding && <StakingSkeleton />}
      {evm !== null && layer !== null && settings.data && deployment !== null && (
        <>
          <StakingSection
            wallet={evm}
            config={layer.evmConfig}
            deployment={deployment}
            dailyPoolUsd={settings.data.staking.dailyPoolUsd}
          />
          <MintSection
            wallet={evm}
            config={layer.evmConfig}
            deployment={deployment}
            symbols={settings.data.staking.symbols}
            dailyPoolUsd={settings.data.staking.dailyPoolUsd}
          />
        </>
      )}
      {!isFinding && (evm !== null || credential !== null) && <KeyListSection wallet={evm} />}
      {!isFinding && <RequestCode requests={keyRequests(evm?.address ?? null)} credential={credential} />}
    </div>
  );
}

function NoWallet({ hasSolana, isSandbox }: { hasSolana: boolean; isSandbox: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border border-amber-line bg-amber-soft px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
        <p className="font-medium">{hasSolana ? words.noWallet.needsEthereum : words.noWallet.connect}</p>
        <p className="text-sm text-dim">
          {hasSolana ? words.noWallet.whyEthereum : isSandbox ? words.noWallet.demo : words.noWallet.careful}
        </p>
      </div>
      <Button tone="primary" onClick={() => chooseWallet('connect')}>
        <Wallet aria-hidden />
        {hasSolana ? words.noWallet.connectEthereum : words.noWallet.connectAny}
      </Button>
    </div>
  );
}

function StakingSkeleton() {
  return (
    <div role="status" aria-label={words.loading} className="grid gap-8">
      <PoolsSkeleton />
      <MintSkeleton />
    </div>
  );
}

function PoolsSkeleton() {
  return (
    <div className="grid gap-4">
      <KeyMetersSkeleton />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Skeleton className={POOL_HEIGHTS.right} />
        <Skeleton className={POOL_HEIGHTS.allocation} />
      </div>
    </div>
  );
}

function MintSkeleton() {
  return <Skeleton className="min-h-[40rem] lg:min-h-[24rem]" />;
}

function KeyMetersSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-4">
      <Skeleton className="h-34 sm:h-30" />
      <Skeleton className="h-34 sm:h-30" />
    </div>
  );
}

function HowKeysWork({ stakeSymbol }: { stakeSymbol: string }) {
  const words = keysWords.how;
  const steps = [words.connect, words.stake(stakeSymbol), words.mint, words.call];
  return (
    <ol
      aria-label={words.label}
      className="grid gap-px overflow-hidden rounded-md border border-line bg-line sm:grid-cols-2 lg:grid-cols-4"
    >
      {steps.map(({ name, note }, index) => (
        <li key={name} className="grid content-start gap-1 bg-ground p-4">
          <span aria-hidden className="figures text-xs text-amber-ink">
            {index + 1}
          </span>
          <span className="font-medium">{name}</span>
          <span className="text-sm text-dim">{note}</span>
        </li>
      ))}
    </ol>
  );
}

const FACT_ICONS = [Blocks, ListOrdered, Gauge, Ban];

function WhatKeysDo() {
  const { title, facts } = keysWords.can;
  return (
    <section aria-label={title} className="grid content-start gap-4 rounded-md border border-line p-4">
      <h2 className="text-lg font-semibold">{title}</h2>
      <dl className="grid gap-4">
        {facts.map(([name, text], index) => {
          const Icon = FACT_ICONS[index] ?? Blocks;
          return (
            <div key={name} className="relative grid gap-0.5 pl-8">
              <dt className="text-sm font-medium">
                <Icon aria-hidden className="absolute top-0.5 left-0 size-5 text-amber-ink" />
                {name}
              </dt>
              <dd className="text-sm text-dim">{text}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
