'use client';

import { SlowWallet, WalletProblem } from '@/components/wallet/wallet-problem';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { Summary } from '@/components/ui/summary';
import { useNow } from '@/lib/browser/page/clock';
import { formatCountdown, formatMoment } from '@/lib/browser/text/moments';
import type { PaymentDraft } from './payment-draft';
import { NoRoomError } from './no-room-error';
import type { PayState } from './use-pay';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import { sameAddress, shortAddress, useWallets } from '@/lib/browser/wallet/wallet-store';
import { reviewWords as words } from './payment-words';
import { topUpWords } from './words';
import { ArrowLeft, PenLine, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

interface ReviewCardProps {
  state: Extract<PayState, { draft: PaymentDraft }>;
  onSign: () => void;
  onRenew: () => void;
  onBack: () => void;
}

/** Shows exactly the content that the wallet will sign. */
export function ReviewCard({ state, onSign, onRenew, onBack }: ReviewCardProps) {
  const { draft } = state;
  const { rail, wallet } = draft;
  const nowMs = useNow(1000);
  const hasExpired = nowMs >= draft.expiresAtMs;
  const isAsking = state.step === 'asking';
  const connected = useWallets()[rail.family];
  const { chain } = useWalletChain();
  const isOnOther = connected !== null && !sameAddress(connected.address, wallet.address);
  const card = useRef<HTMLDivElement>(null);
  const sign = useRef<HTMLButtonElement>(null);
  // Focuses without scrolling, because on a phone the button is below the content to sign.
  useEffect(() => {
    sign.current?.focus({ preventScroll: true });
    // Scrolls only if the card begins outside the upper half of the window, to keep the page's title visible.
    const top = card.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > window.innerHeight / 2) card.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <div ref={card} className="grid min-w-0 scroll-mt-4 content-start gap-4">
      <div className="grid gap-1">
        <h2 className="text-sm font-medium">{words.youSign}</h2>
        <p className="text-xl font-semibold tracking-tight">
          {words.pay}{' '}
          <span className="figures">
            {draft.amount} {rail.symbol}
          </span>{' '}
          {words.toGateway(rail.title)}
        </p>
      </div>
      <dl className="grid gap-2 text-sm">
        <Fact name={words.network}>
          {rail.title} <span className="figures text-xs text-dim">{rail.network}</span>
          {rail.isStandIn && rail.chainId !== chain.id && <Badge className="ml-2">{topUpWords.rails.standIn}</Badge>}
        </Fact>
        <Fact name={words.from} copied={wallet.address} />
        <Fact name={words.receiver} copied={draft.payTo} />
        <Fact name={words.validUntil}>
          {hasExpired ? (
            <span className="text-bad">{words.expired}</span>
          ) : (
            <>
              <span className="figures text-xs">{formatMoment(draft.expiresAtMs)}</span>,{' '}
              <span className="text-dim">
                {draft.isEstimate && words.about}
                <span className="figures text-xs">{formatCountdown(draft.expiresAtMs - nowMs)}</span> {words.left}
              </span>
            </>
          )}
        </Fact>
        {draft.facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            <span className="figures text-xs">{value}</span>
          </Fact>
        ))}
        <Fact name={words.fee}>
          {words.noFee}{' '}
          <span className="text-dim">{rail.family === 'evm' ? words.whyNoFeeEvm : words.whyNoFeeSolana}</span>
        </Fact>
      </dl>
      <details className="group rounded-md border border-line">
        <Summary className="min-h-9 px-3 py-1.5 text-sm text-dim hover:text-ink pointer-coarse:min-h-11">
          {draft.raw.title}
        </Summary>
        <pre
          tabIndex={0}
          aria-label={draft.raw.title}
          className="figures max-h-72 overflow-auto border-t border-line bg-surface p-3 text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
        >
          {draft.raw.text}
        </pre>
      </details>
      {hasExpired && !isAsking && (
        <Notice tone="warn" title={words.hasExpired} actions={<Renew onRenew={onRenew} />}>
          {words.nothingSigned}
        </Notice>
      )}
      {state.step === 'failed' &&
        !hasExpired &&
        (state.error instanceof NoRoomError ? (
          <NoRoom error={state.error} />
        ) : (
          <WalletProblem error={state.error} chainId={rail.chainId} />
        ))}
      {isOnOther && (
        <Notice tone="warn" title={words.otherAccount} actions={<Renew onRenew={onBack} />}>
          {/* One paragraph, because a notice lays out its children as separate lines. */}
          <p>
            {words.itIsOn}
            <span className="figures text-xs whitespace-nowrap">{shortAddress(connected.address)}</span>
            {words.toBeSignedBy}
            <span className="figures text-xs whitespace-nowrap">{shortAddress(wallet.address)}</span>
            {words.switchBack}
          </p>
        </Notice>
      )}
      {isAsking && <SlowWallet onStop={onBack} />}
      <div className="flex flex-wrap gap-2">
        <Button
          ref={sign}
          tone="primary"
          className="max-sm:flex-1"
          disabled={isAsking || hasExpired || isOnOther}
          onClick={onSign}
        >
          <PenLine aria-hidden />
          {isAsking
            ? words.lookAtWallet
            : state.step === 'failed'
              ? words.signAgain
              : words.signWith(wallet.walletName)}
        </Button>
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden />
          {words.change}
        </Button>
      </div>
    </div>
  );
}

function NoRoom({ error }: { error: NoRoomError }) {
  return (
    <Notice tone="bad" title={error.message}>
      {words.noRoom}
    </Notice>
  );
}

function Renew({ onRenew }: { onRenew: () => void }) {
  return (
    <Button size="sm" tone="primary" onClick={onRenew}>
      <RotateCw aria-hidden />
      {words.prepareAgain}
    </Button>
  );
}

/** Shows a fact. `copied` is a complete address to compare with the wallet's display. */
function Fact({ name, copied, children }: { name: string; copied?: string; children?: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3">
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {copied === undefined ? (
          children
        ) : (
          <span className="flex items-start gap-1">
            <code className="figures min-w-0 text-xs leading-5 text-balance break-all">{copied}</code>
            <CopyButton
              text={copied}
              label={words.copy(name)}
              iconOnly
              className="-my-0.5 size-6 pointer-coarse:size-8"
            />
          </span>
        )}
      </dd>
    </div>
  );
}
