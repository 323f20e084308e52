'use client';

import { useLastCharges } from '@/components/billing/use-usage';
import { useBalance } from '@/components/paying/use-balance';
import { useCallHistory } from '@/components/rpc/call-history';
import { useReceipts } from '@/components/top-up/receipts';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { PageLink } from '@/components/ui/page-link';
import { type Credential, useCredential } from '@/lib/browser/credential/credential';
import { useKeys } from '@/lib/browser/credential/use-keys';
import { useIsPageOffered, useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { FIRST_STEPS, type FirstStep, firstStepsDone } from '@/lib/browser/storage/first-steps-done';
import { useHydrated, useStoredValue } from '@/lib/browser/storage/stored-value';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { usePayRails } from '@/lib/browser/wallet/pay-rails';
import { chooseWallet, useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { Check, Circle } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { overviewWords } from './words';

export type { FirstStep } from '@/lib/browser/storage/first-steps-done';

const words = overviewWords.steps;

/** A step is shown only if the gateway offers the step's page. */
const PAGE_OF: Readonly<Partial<Record<FirstStep, string>>> = { 'top-up': '/top-up', chat: '/chat', key: '/keys' };

const WALLET_STEPS: ReadonlySet<FirstStep> = new Set(['wallet', 'sign-in']);

/** Shows a new visitor the next step towards an API key. */
export function NextStep({ network, profile }: { network: string; profile: 'sandbox' | 'live' }) {
  const id = useId();
  const controls: Readonly<Record<FirstStep, ReactNode>> = {
    call: <PageLink href={`/rpc?network=${network}`}>{words.call.control}</PageLink>,
    wallet: (
      <button type="button" onClick={() => chooseWallet('connect')}>
        {words.wallet.control}
      </button>
    ),
    'sign-in': (
      <button type="button" onClick={() => chooseWallet('pay')}>
        {words['sign-in'].control}
      </button>
    ),
    'top-up': <PageLink href="/top-up">{words['top-up'].control}</PageLink>,
    chat: <PageLink href="/chat">{words.chat.control}</PageLink>,
    key: <PageLink href="/keys">{words.key.control}</PageLink>,
  };
  const chains = [...new Set(usePayRails().rails.map(({ title }) => title))];
  const noteOf = (step: FirstStep): string =>
    step === 'top-up' && chains.length > 0 ? words.topUpOn(chains) : words[step].note;
  const isOffered = useIsPageOffered();
  const isWalletOfUse = useIsWalletOfUse();
  const steps = useFirstSteps(profile).filter(
    ({ step }) => isOffered(PAGE_OF[step] ?? '/') && (isWalletOfUse || !WALLET_STEPS.has(step)),
  );
  const needsTopUp = useNeedsTopUp();
  const next = needsTopUp ? 'top-up' : steps.find(({ isDone }) => !isDone)?.step;
  const [isShown, setIsShown] = useState(false);
  const hydrated = useHydrated();
  const done = steps.filter(({ isDone }) => isDone).length;
  // A single step is always the first API call, which has a button in the page's header.
  if (next === undefined || steps.length === 1) return null;
  return (
    <section
      aria-labelledby={id}
      className={cn('grid gap-3 rounded-md border border-line px-5 py-4', !hydrated && 'in-[[data-steps-done]]:hidden')}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-48 flex-1 gap-0.5 max-sm:basis-full">
          <p className="flex items-center gap-2 text-xs text-dim">
            {words.next}
            <span aria-hidden className="flex gap-0.5">
              {steps.map(({ step }, index) => (
                <span key={step} className={cn('h-1 w-4 rounded-full', index < done ? 'bg-good' : 'bg-edge')} />
              ))}
            </span>
            {words.progress(done, steps.length)}
          </p>
          <h2 id={id} className="text-lg font-semibold">
            {words[next].name}
          </h2>
          <p className="text-sm text-dim">{noteOf(next)}</p>
        </div>
        <Button
          tone="quiet"
          className="max-sm:-ml-3 last:-mr-3"
          aria-expanded={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? words.hide : words.show}
        </Button>
        {next !== (needsTopUp ? 'top-up' : 'call') && <Button asChild>{controls[next]}</Button>}
      </div>
      {isShown && (
        <ol className="grid gap-x-8 md:grid-cols-2">
          {steps.map(({ step, isDone }) => (
            <Step key={step} isDone={isDone} name={words[step].name} note={noteOf(step)}>
              {controls[step]}
            </Step>
          ))}
        </ol>
      )}
    </section>
  );
}

function Step({ isDone, name, note, children }: { isDone: boolean; name: string; note: string; children: ReactNode }) {
  const Icon = isDone ? Check : Circle;
  return (
    <li className="flex min-h-13 items-center gap-3 border-b border-line py-2 text-sm">
      <Icon aria-hidden className={`size-4 shrink-0 ${isDone ? 'text-good' : 'text-faint'}`} />
      <p className="min-w-0 flex-1">
        <span className={isDone ? 'text-dim' : 'font-medium'}>{name}</span>
        <span className="sr-only">{isDone ? words.isDone : words.isToDo}</span>
        <span className="block text-xs text-dim">{note}</span>
      </p>
      {!isDone && (
        <Button asChild size="sm">
          {children}
        </Button>
      )}
    </li>
  );
}

/** Order of the steps. The sandbox starts with a call, because demo money pays for it. */
const ORDER: Readonly<Record<'sandbox' | 'live', readonly FirstStep[]>> = {
  sandbox: ['call', 'wallet', 'sign-in', 'top-up', 'chat', 'key'],
  live: ['wallet', 'sign-in', 'top-up', 'call', 'chat', 'key'],
};

export function stepsOf(profile: 'sandbox' | 'live'): readonly FirstStep[] {
  return ORDER[profile];
}

/** Remembers completed steps, because a change of payment method must not undo a step. */
function useFirstSteps(profile: 'sandbox' | 'live'): readonly { step: FirstStep; isDone: boolean }[] {
  const remembered = useStoredValue(firstStepsDone);
  const seen = useWhatIsDone();
  const news = FIRST_STEPS.filter((step) => seen[step] && !remembered.includes(step)).join();
  useEffect(() => {
    if (news !== '') firstStepsDone.set([...firstStepsDone.get(), ...(news.split(',') as FirstStep[])]);
  }, [news]);
  return stepsOf(profile).map((step) => ({ step, isDone: seen[step] || remembered.includes(step) }));
}

/** Returns the user's own charges, without those of the shared demo key. */
export function ownCharges<Charged>(payer: Credential['kind'], charges: readonly Charged[]): readonly Charged[] {
  return payer === 'demo' ? [] : charges;
}

/**
 * Returns whether the user has an API key: minted by the wallet, or entered by the user and accepted by the gateway.
 */
export function holdsKey(payer: Credential['kind'], isTaken: boolean, minted: number): boolean {
  return (payer === 'own' && isTaken) || minted > 0;
}

function useWhatIsDone(): Readonly<Record<FirstStep, boolean>> {
  const wallets = useConnectedWallets();
  const hasCalledHere = useCallHistory().some(({ outcome }) => outcome === 'ok');
  const isSignedIn = useSignIns().length > 0;
  const credential = useCredential();
  const lastCharges = useLastCharges().data ?? [];
  const charges = ownCharges(credential.kind, lastCharges);
  const keys = useKeys(credential.kind === 'wallet' && credential.family === 'evm' ? credential.presented : null);
  const hasReceipts = useReceipts().length > 0;
  const { balance } = useBalance();
  return {
    call: hasCalledHere || charges.some(({ resource }) => resource.startsWith('rpc/')),
    wallet: wallets.length > 0,
    'sign-in': isSignedIn,
    'top-up': hasReceipts || (balance?.x402Usd ?? 0) > 0,
    chat: charges.some(({ resource }) => resource.startsWith('chat/')),
    key: holdsKey(credential.kind, balance !== null, keys.data?.length ?? 0),
  };
}

/** Returns whether the paying wallet has no money, so that its next call would be refused. */
export function useNeedsTopUp(): boolean {
  const { kind } = useCredential();
  const { totalUsd } = useBalance();
  return useIsPageOffered()('/top-up') && kind === 'wallet' && totalUsd === 0;
}
