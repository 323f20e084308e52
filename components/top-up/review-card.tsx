'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { formatCountdown, useNow } from '@/lib/browser/clock';
import type { PaymentDraft } from '@/lib/browser/top-up/payment-draft';
import type { PayState } from '@/lib/browser/top-up/use-pay';
import { ArrowLeft, PenLine, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

interface ReviewCardProps {
  state: Extract<PayState, { draft: PaymentDraft }>;
  onSign: () => void;
  /** Drafts the same payment anew. */
  onRenew: () => void;
  onBack: () => void;
}

/** Exactly what the wallet is going to be asked to sign, before it is asked. */
export function ReviewCard({ state, onSign, onRenew, onBack }: ReviewCardProps) {
  const { draft } = state;
  const { rail, wallet } = draft;
  const nowMs = useNow(1000);
  const hasExpired = nowMs >= draft.expiresAtMs;
  const isAsking = state.step === 'asking';
  return (
    <div className="grid min-w-0 content-start gap-4">
      <div className="grid gap-1">
        <h2 className="text-sm font-medium">You sign</h2>
        <p className="figures text-2xl font-semibold tracking-tight">
          {draft.amount} <span className="text-lg font-medium text-dim">{rail.symbol}</span>
        </p>
      </div>
      <dl className="grid gap-2 text-sm">
        <Fact name="Network">
          {rail.title} <span className="figures text-xs text-dim">{rail.network}</span>
        </Fact>
        <Fact name="From" copied={wallet.address} />
        <Fact name="Receiver" copied={draft.payTo} />
        <Fact name="Valid until">
          {hasExpired ? (
            <span className="text-bad">expired</span>
          ) : (
            <>
              <span className="figures text-xs">{new Date(draft.expiresAtMs).toLocaleTimeString('en-GB')}</span>{' '}
              <span className="text-dim">
                {draft.isEstimate && 'about '}
                <span className="figures text-xs">{formatCountdown(draft.expiresAtMs - nowMs)}</span> left
              </span>
            </>
          )}
        </Fact>
        {draft.facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            <span className="figures text-xs">{value}</span>
          </Fact>
        ))}
        <Fact name="Network fee">
          none for you <span className="text-dim">{rail.family === 'evm' ? '(EIP-3009: the gateway sends it)' : '(the gateway is the fee payer)'}</span>
        </Fact>
      </dl>
      <details className="group rounded-md border border-line">
        <summary className="flex h-9 items-center px-3 text-sm text-dim hover:text-ink">{draft.raw.title}</summary>
        <pre tabIndex={0} aria-label={draft.raw.title} className="figures max-h-72 overflow-auto border-t border-line bg-surface p-3 text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
          {draft.raw.text}
        </pre>
      </details>
      {hasExpired && !isAsking && <Notice tone="warn" title="What is shown here has expired." actions={<Renew onRenew={onRenew} />}>Nothing was signed.</Notice>}
      {state.step === 'failed' && !hasExpired && <WalletProblem error={state.error} />}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" autoFocus disabled={isAsking || hasExpired} onClick={onSign}>
          <PenLine aria-hidden />
          {isAsking ? 'Look at your wallet…' : state.step === 'failed' ? 'Sign again' : `Sign with ${wallet.walletName}`}
        </Button>
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden />
          Change
        </Button>
      </div>
    </div>
  );
}

function Renew({ onRenew }: { onRenew: () => void }) {
  return (
    <Button size="sm" tone="primary" onClick={onRenew}>
      <RotateCw aria-hidden />
      Prepare it anew
    </Button>
  );
}

/** A fact; with `copied` an address, whole, to compare with what the wallet shows. */
function Fact({ name, copied, children }: { name: string; copied?: string; children?: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {copied === undefined ? (
          children
        ) : (
          <span className="flex items-start gap-1">
            <code className="figures min-w-0 text-xs leading-5 break-all">{copied}</code>
            <CopyButton text={copied} label={`Copy: ${name}`} iconOnly className="-my-0.5 size-6 pointer-coarse:size-8" />
          </span>
        )}
      </dd>
    </div>
  );
}
