'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { requestHref } from '@/lib/browser/request-link';
import { composeRequest } from '@/lib/browser/request-text';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import type { StepState, TrackedStep } from '@/lib/browser/staking/use-transactions';
import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import type { Chain } from 'viem';
import { StepMark, type StepMarkKind } from './step-mark';

const MARK: Record<StepState['status'], StepMarkKind> = { waiting: 'waiting', skipped: 'skipped', asking: 'active', pending: 'active', done: 'done', failed: 'failed' };

/** The transactions of an action, one a line: what each does and how it stands. */
export function TransactionSteps({ steps, chain, onClear }: { steps: readonly TrackedStep[]; chain: Chain; onClear: (() => void) | null }) {
  if (steps.length === 0) return null;
  const isOver = steps.every(({ state }) => state.status === 'done' || state.status === 'skipped') || steps.some(({ state }) => state.status === 'failed');
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <ol aria-label="Transactions" className="grid gap-3">
        {steps.map(({ name, purpose, state }, index) => (
          <li key={name} className="flex gap-2.5 text-sm">
            <StepMark kind={MARK[state.status]} />
            <div className="grid min-w-0 flex-1 gap-1">
              <p>
                <span className="font-medium">
                  {index + 1}. {name}
                </span>{' '}
                <span role="status" className="text-dim">
                  {sentenceOf(state)}
                </span>
              </p>
              <p className="text-xs text-dim">{state.status === 'skipped' ? state.why : purpose}</p>
              {'hash' in state && state.hash !== null && <TransactionHash hash={state.hash} chain={chain} />}
              {state.status === 'failed' && <WalletProblem error={state.error} />}
            </div>
          </li>
        ))}
      </ol>
      {isOver && onClear && (
        <Button size="sm" tone="quiet" className="justify-self-start" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}

function sentenceOf(state: StepState): string {
  switch (state.status) {
    case 'waiting':
      return 'waits for the step before';
    case 'skipped':
      return 'not needed';
    case 'asking':
      return 'confirm it in your wallet';
    case 'pending':
      return 'sent, waiting for a block';
    case 'done':
      return 'done';
    case 'failed':
      return 'did not happen';
  }
}

/** A hash with where to look it up: the chain's explorer, or its receipt on the RPC page. */
function TransactionHash({ hash, chain }: { hash: `0x${string}`; chain: Chain }) {
  const explorer = chain.blockExplorers?.default;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-dim">
      <code className="figures" title={hash}>
        {shortAddress(hash)}
      </code>
      <CopyButton text={hash} label="Copy the transaction hash" iconOnly className="-my-1 size-6" />
      {explorer ? (
        <a href={`${explorer.url}/tx/${hash}`} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-amber-ink underline-offset-4 hover:underline">
          {explorer.name}
          <ExternalLink aria-hidden className="size-3" />
        </a>
      ) : (
        <Link href={requestHref({ network: 'sandbox-testnet', text: composeRequest('eth_getTransactionReceipt', [hash]) })} className="text-amber-ink underline-offset-4 hover:underline">
          Look it up
        </Link>
      )}
    </p>
  );
}
