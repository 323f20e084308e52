'use client';

import { FailureCard } from '@/components/paying/recovery/failure-card';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { seenOperator } from '@/lib/browser/credential/credential';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { useKeyEntry, useOperator } from './use-operator';
import { operatorWords } from './words';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { useBrand } from '@/lib/browser/reads/settings';
import { chooseWallet, sameAddress, shortAddress, useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight, Gauge, PenLine, Wallet } from 'lucide-react';
import { type FormEvent, type ReactNode, useId } from 'react';

const Dashboard = onDemand(() => import('./operator-dashboard').then((module) => module.OperatorDashboard), {
  waiting: <OperatorSkeleton />,
});

/** Shows a placeholder during the check only if this browser has shown the dashboard before. */
export function OperatorPage() {
  const view = useOperator();
  const wasOperator = useStoredValue(seenOperator);
  if (view.kind === 'operator') return <Dashboard view={view} />;
  if (view.kind === 'looking' && wasOperator) return <OperatorSkeleton />;
  return (
    <OperatorSignIn refused={view.kind === 'refused' ? view.address : null} isLooking={view.kind === 'looking'}>
      {view.kind === 'failed' && <FailureCard isRead error={view.error} onRetry={view.refresh} />}
    </OperatorSignIn>
  );
}

function OperatorSkeleton() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <p role="status" className="sr-only">
        {operatorWords.loading}
      </p>
      <h1 className="text-2xl font-semibold tracking-tight">{operatorWords.title}</h1>
      <Skeleton className="h-23 rounded-md" />
      <Skeleton className="h-72 rounded-md" />
      <Skeleton className="h-96 rounded-md" />
    </div>
  );
}

const words = operatorWords.signIn;

interface OperatorSignInProps {
  /** Address of the signed-in wallet if it belongs to no operator. */
  refused: string | null;
  isLooking: boolean;
  children?: ReactNode;
}

function OperatorSignIn({ refused, isLooking, children }: OperatorSignInProps) {
  const { name } = useBrand();
  return (
    <div className="mx-auto grid w-full max-w-md flex-1 content-center gap-6 px-4 py-8">
      <header className="grid gap-2">
        <span aria-hidden className="mb-1 grid size-11 place-content-center rounded-md bg-amber-soft text-amber-ink">
          <Gauge className="size-5.5" />
        </span>
        <h1 className="text-2xl font-semibold tracking-tight">{words.title}</h1>
        <p className="text-dim">{words.intro(name)}</p>
      </header>
      {children}
      {refused !== null && (
        <Notice tone="warn" title={words.refused(shortAddress(refused))}>
          {words.refusedWhy}
        </Notice>
      )}
      <KeyEntry />
      <div className="flex items-center gap-3 text-xs text-faint">
        <span aria-hidden className="h-px flex-1 bg-line" />
        {words.or}
        <span aria-hidden className="h-px flex-1 bg-line" />
      </div>
      <WalletEntry refused={refused} isLooking={isLooking} />
    </div>
  );
}

function KeyEntry() {
  const id = useId();
  const { key, isPending, problem, enter, submit } = useKeyEntry();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-3">
      <Field label={words.key.label} htmlFor={id} message={problem !== null && <span role="alert">{problem}</span>}>
        <Input
          id={id}
          type="password"
          value={key}
          className="figures"
          autoComplete="off"
          data-1p-ignore
          aria-invalid={problem !== null}
          aria-describedby={`${id}-message ${id}-hint`}
          onChange={(event) => enter(event.target.value)}
        />
      </Field>
      <p id={`${id}-hint`} className="text-xs text-dim">
        {words.key.hint} <code className="figures">TURNPIKE_OPERATOR_KEY</code>. {words.key.kept}
      </p>
      <Button type="submit" tone="primary" disabled={isPending}>
        {isPending ? words.key.checking : words.key.open}
        {!isPending && <ArrowRight aria-hidden />}
      </Button>
    </form>
  );
}

function WalletEntry({ refused, isLooking }: Pick<OperatorSignInProps, 'refused' | 'isLooking'>) {
  const { start, isPending, error } = useSignIn({ useForCalls: false });
  const wallet = useConnectedWallets().find(({ address }) => refused === null || !sameAddress(address, refused));
  return (
    <div className="grid gap-2">
      {wallet === undefined ? (
        <Button onClick={() => chooseWallet(refused === null ? 'connect' : 'any')}>
          <Wallet aria-hidden />
          {refused === null ? words.wallet.connect : words.wallet.another}
        </Button>
      ) : (
        <Button disabled={isPending || isLooking} onClick={() => start(wallet)}>
          <PenLine aria-hidden />
          {isPending ? words.wallet.asking : words.wallet.sign(shortAddress(wallet.address))}
        </Button>
      )}
      <p className="text-xs text-dim">
        {words.wallet.hint} <code className="figures">operators</code>
        {words.wallet.hintEnd}
      </p>
      {error !== null && <WalletProblem error={error} onRetry={wallet && (() => start(wallet))} />}
    </div>
  );
}
