'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { FundButton } from '@/components/wallet/wallet-buttons';
import { useNow } from '@/lib/browser/page/clock';
import { rememberPoolHeight } from '@/lib/browser/page/head-scripts';
import { queryClient } from '@/lib/browser/reads/query-client';
import { useSandbox } from '@/lib/browser/reads/settings';
import { formatCountdown } from '@/lib/browser/text/moments';
import { walletFailureOf } from '@/lib/browser/wallet/wallet-failure';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Chain } from 'viem';
import type { Config } from 'wagmi';
import { POOL_HEIGHTS } from '../pool-heights';
import { withdrawSteps } from './pool-actions';
import { type PoolAddresses, poolQuery, type PoolState } from './pool-state';
import { StakeForm, TransactionSteps } from './stake-form';
import { formatToken } from './allocation';
import { useTransactions } from './use-transactions';
import { stakingWords as words } from './words';

interface PoolCardProps {
  wallet: ConnectedWallet;
  config: Config;
  chain: Chain;
  purpose: string;
  explanation: string;
  addresses: PoolAddresses;
  preview?: (state: PoolState, amount: bigint) => ReactNode;
}

const REFRESH_EVERY_MS = 15_000;

/** Shows one pool: the wallet's stake, the forms to stake and unstake, and their transactions. */
export function PoolCard({ wallet, config, chain, purpose, explanation, addresses, preview }: PoolCardProps) {
  const query = useQuery(
    { ...poolQuery(config, wallet.address, addresses), refetchInterval: REFRESH_EVERY_MS, staleTime: 5_000 },
    queryClient,
  );
  const transactions = useTransactions(config, addresses.chainId);
  const state = query.data;
  const name = preview ? 'allocation' : 'right';
  const card = useRef<HTMLElement>(null);
  const isAtRest = state !== undefined && transactions.steps.length === 0;
  useEffect(() => {
    if (!isAtRest || card.current === null) return;
    const observer = new ResizeObserver(
      ([entry]) => void (entry && rememberPoolHeight(name, (entry.target as HTMLElement).offsetHeight)),
    );
    observer.observe(card.current);
    return () => observer.disconnect();
  }, [isAtRest, name]);
  return (
    <article
      ref={card}
      aria-label={purpose}
      className={cn(
        'grid content-start gap-4 rounded-md border border-line p-4',
        state === undefined && POOL_HEIGHTS[name],
      )}
    >
      <header className="grid gap-1">
        <h2 className="flex items-center gap-2 text-lg font-semibold">
          {purpose}
          {state && <Badge className="figures">{state.symbol}</Badge>}
        </h2>
        <p className="text-sm text-dim">{explanation}</p>
      </header>
      {query.isError && state === undefined && (
        <Notice
          tone="bad"
          title={words.chainSilent(chain.name)}
          actions={
            <Button size="sm" onClick={() => void query.refetch()}>
              {words.tryAgain}
            </Button>
          }
        >
          {walletFailureOf(query.error).sentence}
        </Notice>
      )}
      {state === undefined ? (
        !query.isError && <Skeleton className="h-40" />
      ) : (
        <>
          <Balances state={state} />
          {state.unstaking !== null && (
            <Cooldown
              unstaking={state.unstaking}
              state={state}
              isRunning={transactions.isRunning}
              onTake={() => void transactions.run(withdrawSteps(addresses, state))}
            />
          )}
          <NothingToStake state={state} chain={chain} />
          <StakeForm
            state={state}
            addresses={addresses}
            transactions={transactions}
            isElsewhere={wallet.chainId !== chain.id}
            preview={preview}
          />
          <TransactionSteps
            steps={transactions.steps}
            chain={chain}
            onClear={transactions.isRunning ? null : transactions.clear}
          />
        </>
      )}
    </article>
  );
}

function Balances({ state }: { state: PoolState }) {
  const facts = [
    [words.inWallet, state.balance],
    [words.staked, state.staked],
    [words.stakedByAll, state.total],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-x-4 gap-y-1">
      {facts.map(([name, amount]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-faint">{name}</dt>
          <dd className="figures truncate text-base" title={`${formatToken(amount, state.decimals)} ${state.symbol}`}>
            {formatToken(amount, state.decimals)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NothingToStake({ state, chain }: { state: PoolState; chain: Chain }) {
  const sandbox = useSandbox();
  const lacksCoin = state.coin === 0n;
  if (!lacksCoin && (state.balance > 0n || state.staked > 0n || state.unstaking !== null)) return null;
  return (
    <Notice
      tone="warn"
      title={lacksCoin ? words.noCoin(chain.nativeCurrency.symbol, chain.name) : words.noToken(state.symbol)}
      actions={sandbox.data && <FundButton />}
    >
      {sandbox.data ? words.faucet : words.getSome(chain.name)}
    </Notice>
  );
}

interface CooldownProps {
  unstaking: NonNullable<PoolState['unstaking']>;
  state: PoolState;
  isRunning: boolean;
  onTake: () => void;
}

function Cooldown({ unstaking, state, isRunning, onTake }: CooldownProps) {
  const leftMs = unstaking.availableAtMs - useNow(1000);
  const isOver = leftMs <= 0;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-surface px-3 py-2 text-sm">
      <Hourglass aria-hidden className="size-4 text-dim" />
      <p className="min-w-0 flex-1">
        <span className="figures">
          {formatToken(unstaking.amount, state.decimals)} {state.symbol}
        </span>{' '}
        {isOver ? (
          words.canBeTaken
        ) : (
          <>
            {words.coolsDown} <span className="figures">{formatCountdown(leftMs)}</span>.
          </>
        )}
      </p>
      <Button size="sm" disabled={!isOver || isRunning} onClick={onTake}>
        {words.takeBack}
      </Button>
    </div>
  );
}
