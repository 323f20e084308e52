'use client';

import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { CopyButton } from '@/components/ui/copy-button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { StepMark, type StepMarkKind } from '@/components/ui/step-mark';
import { SlowWallet, WalletProblem } from '@/components/wallet/wallet-problem';
import { callHref } from '@/lib/browser/page/console-pages';
import { createKeyedTexts } from '@/lib/browser/storage/keyed-texts';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import { ExternalLink } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Chain } from 'viem';
import { approvedAmount, forgetOnceSent, type PoolStep, stakeSteps, unstakeSteps } from './pool-actions';
import type { PoolAddresses, PoolState } from './pool-state';
import { plainToken, readTypedAmount } from './allocation';
import type { StepState, TrackedStep, useTransactions } from './use-transactions';
import { stakingWords as words } from './words';

const DIRECTIONS = ['stake', 'unstake'] as const;

interface StakeFormProps {
  state: PoolState;
  addresses: PoolAddresses;
  transactions: ReturnType<typeof useTransactions>;
  isElsewhere: boolean;
  preview: ((state: PoolState, amount: bigint) => ReactNode) | undefined;
}

export function StakeForm({ state, addresses, transactions, isElsewhere, preview }: StakeFormProps) {
  const id = useId();
  const [direction, setDirection] = useState<(typeof DIRECTIONS)[number]>('stake');
  const text = useStakeDraft(addresses.pool) ?? '';
  const setText = (typed: string) => draftStake(addresses.pool, typed === '' ? null : typed);
  const [showProblem, setShowProblem] = useState(false);
  const max = direction === 'stake' ? state.balance : state.staked;
  const typed = readTypedAmount(text, {
    decimals: state.decimals,
    symbol: state.symbol,
    max,
    maxIs: direction === 'stake' ? words.ofWallet : words.ofStake,
  });
  // Clears the typed amount once the wallet has sent the transaction. Otherwise the user could stake the same amount
  // twice after a reload.
  const sendAndForget = async (steps: readonly PoolStep[], amount: bigint) => {
    const forget = () => typed.ok && typed.amount === amount && setText('');
    const last = steps.length - 1;
    const forgetting = steps.map((step, index) => (index === last ? forgetOnceSent(step, forget) : step));
    if (!(await transactions.run(forgetting))) setText(text);
  };
  // A wallet needs a stake in this pool to mint API keys. The other pool only grants the allocation.
  const isFirstStep = preview === undefined && state.staked === 0n && state.balance > 0n;
  const approved = approvedAmount(state);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Enter can submit again during a transaction, because the field stays enabled to keep focus.
    if (transactions.isRunning) return;
    setShowProblem(!typed.ok);
    if (!typed.ok) return;
    const steps =
      direction === 'stake' ? stakeSteps(addresses, state, typed.amount) : unstakeSteps(addresses, state, typed.amount);
    await sendAndForget(steps, typed.amount);
  };
  const choose = (next: (typeof DIRECTIONS)[number]): void => {
    setDirection(next);
    setShowProblem(false);
    transactions.clear();
  };
  return (
    <>
      {direction === 'stake' && approved > 0n && !transactions.isRunning && transactions.steps.length === 0 && (
        <Notice
          tone="info"
          title={words.approved(plainToken(approved, state.decimals), state.symbol)}
          actions={
            <Button
              tone="primary"
              disabled={isElsewhere}
              onClick={() => void sendAndForget(stakeSteps(addresses, state, approved), approved)}
            >
              {words.stakeApproved(plainToken(approved, state.decimals), state.symbol)}
            </Button>
          }
        >
          {words.goOn}
        </Notice>
      )}
      <form onSubmit={(event) => void submit(event)} className="grid gap-3" noValidate>
        <Choices
          label={words.direction}
          values={DIRECTIONS}
          chosen={direction}
          nameOf={(each) => words.directions[each]}
          onChoose={choose}
          disabled={transactions.isRunning}
        />
        <Field
          label={words.amountOf(state.symbol)}
          htmlFor={id}
          message={showProblem && !typed.ok ? typed.sentence : null}
        >
          <div className="flex gap-2">
            <Input
              id={id}
              value={text}
              inputMode="decimal"
              placeholder="0.0"
              className="figures"
              aria-invalid={showProblem && !typed.ok}
              aria-describedby={`${id}-message`}
              readOnly={transactions.isRunning}
              onChange={(event) => setText(event.target.value)}
            />
            <Button
              disabled={max === 0n || transactions.isRunning}
              onClick={() => setText(plainToken(max, state.decimals))}
            >
              {words.max}
            </Button>
          </div>
        </Field>
        {preview?.(state, typed.ok ? (direction === 'stake' ? typed.amount : -typed.amount) : 0n)}
        <p className="text-xs text-dim">
          {(direction === 'stake' ? words.twoSteps : words.cooldown)(formatCooldown(state.cooldownSeconds))}
        </p>
        <Button
          type="submit"
          tone={isFirstStep ? 'primary' : 'outline'}
          className="justify-self-start"
          disabled={isElsewhere || transactions.isRunning}
        >
          {words.submit(direction, state.symbol)}
        </Button>
      </form>
    </>
  );
}

function formatCooldown(seconds: number): string {
  const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (seconds >= 172_800 && seconds % 86_400 === 0) return plural(seconds / 86_400, 'day');
  if (seconds >= 7200 && seconds % 3600 === 0) return plural(seconds / 3600, 'hour');
  return seconds >= 120 ? plural(Math.round(seconds / 60), 'minute') : plural(seconds, 'second');
}

const MARK: Record<StepState['status'], StepMarkKind> = {
  waiting: 'waiting',
  skipped: 'skipped',
  asking: 'active',
  pending: 'active',
  done: 'done',
  failed: 'failed',
};

export function TransactionSteps({
  steps,
  chain,
  onClear,
}: {
  steps: readonly TrackedStep[];
  chain: Chain;
  onClear: (() => void) | null;
}) {
  if (steps.length === 0) return null;
  const isOver =
    steps.every(({ state }) => state.status === 'done' || state.status === 'skipped') ||
    steps.some(({ state }) => state.status === 'failed');
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <ol aria-label={words.transactions} className="grid gap-3">
        {steps.map(({ name, purpose, state }, index) => (
          <li key={name} className="flex gap-2.5 text-sm">
            <StepMark kind={MARK[state.status]} />
            <div className="grid min-w-0 flex-1 gap-1">
              <p>
                <span className="font-medium">
                  {index + 1}. {name}
                </span>{' '}
                <span role="status" className="text-dim">
                  {words.states[state.status]}
                </span>
              </p>
              <p className="text-xs text-dim">{state.status === 'skipped' ? state.why : purpose}</p>
              {'hash' in state && state.hash !== null && <TransactionHash hash={state.hash} chain={chain} />}
              {state.status === 'asking' && <SlowWallet />}
              {state.status === 'failed' && <WalletProblem error={state.error} />}
            </div>
          </li>
        ))}
      </ol>
      {isOver && onClear && (
        <Button size="sm" tone="quiet" className="justify-self-start" onClick={onClear}>
          {words.clear}
        </Button>
      )}
    </div>
  );
}

/** Links a transaction to the chain's explorer, else to the RPC page with a draft request for its receipt. */
function TransactionHash({ hash, chain }: { hash: `0x${string}`; chain: Chain }) {
  const explorer = chain.blockExplorers?.default;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-dim">
      <code className="figures" title={hash}>
        {shortAddress(hash)}
      </code>
      <CopyButton text={hash} label={words.copyHash} iconOnly className="-my-1 size-6" />
      {explorer ? (
        <a
          href={`${explorer.url}/tx/${hash}`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 text-amber-ink underline-offset-4 hover:underline"
        >
          {explorer.name}
          <ExternalLink aria-hidden className="size-3" />
        </a>
      ) : (
        <PageLink
          href={callHref('sandbox-testnet', 'eth_getTransactionReceipt', [hash])}
          className="text-amber-ink underline-offset-4 hover:underline"
        >
          {words.lookUp}
        </PageLink>
      )}
    </p>
  );
}

const { useText: useStakeDraft, put: draftStake } = createKeyedTexts('turnpike.stake-amounts');
