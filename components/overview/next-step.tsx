'use client';

import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { type FirstStep, useFirstSteps } from '@/lib/browser/first-steps';
import { useIsPageOffered } from '@/lib/browser/offers';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { Check, Circle } from 'lucide-react';
import { overviewWords } from '@/lib/browser/words/overview';
import { type ReactNode, useId, useState } from 'react';

const words = overviewWords.steps;

/** Pages that some gateways do not offer, by step. */
const PAGE_OF: Readonly<Partial<Record<FirstStep, string>>> = { 'top-up': '/top-up', chat: '/chat', key: '/keys' };

/** Shows the step that is next, from a first visit to the user's own key, and the others on demand. */
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
  const isOffered = useIsPageOffered();
  const steps = useFirstSteps(profile).filter(({ step }) => isOffered(PAGE_OF[step] ?? '/'));
  const next = steps.find(({ isDone }) => !isDone)?.step;
  const [isShown, setIsShown] = useState(false);
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-md border border-line px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-48 flex-1 gap-0.5">
          <p className="text-xs text-dim">
            {words.next} · {words.progress(steps)}
          </p>
          <h2 id={id} className="text-lg font-semibold">
            {next === undefined ? words.allDone : words[next].name}
          </h2>
          {next !== undefined && <p className="text-sm text-dim">{words[next].note}</p>}
        </div>
        <Button tone="quiet" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? words.hide : words.show}
        </Button>
        {next !== undefined && <Button asChild>{controls[next]}</Button>}
      </div>
      {isShown && (
        <ol className="grid gap-x-8 md:grid-cols-2">
          {steps.map(({ step, isDone }) => (
            <Step key={step} isDone={isDone} {...words[step]}>
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
