'use client';

import { SlowWallet } from '@/components/wallet/slow-wallet';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { PageLink } from '@/components/ui/page-link';
import { callHref } from '@/lib/browser/rpc/call-href';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import type { StepState, TrackedStep } from '@/lib/browser/staking/use-transactions';
import { stakingWords as words } from '@/lib/browser/words/staking';
import { ExternalLink } from 'lucide-react';
import type { Chain } from 'viem';
import { StepMark, type StepMarkKind } from './step-mark';

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

/**
 * Links a transaction's hash to the chain's explorer. Without an explorer, links to a request for the receipt on the
 * RPC page.
 */
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
