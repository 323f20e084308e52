'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Notice } from '@/components/ui/notice';
import { FundButton } from '@/components/wallet/wallet-buttons';
import { useNow } from '@/lib/browser/page/clock';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { useSandbox } from '@/lib/browser/reads/settings';
import { useReads } from '@/lib/browser/reads/use-read';
import { formatCountdown } from '@/lib/browser/text/moments';
import { paymentCureWords, paymentProgressWords } from '@/lib/browser/wallet/payment-words';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import { retryPayment } from './payment-follower';
import { paymentWords as words } from './payment-words';
import { type LinePlace, ProgressLine } from './progress-line';
import { Receipt } from './receipt';
import { dismissPayment, notePaymentView, type PaymentProgress, type TrackedPayment } from './tracked-payments';

/** Time after which a displayed outcome counts as read. */
const READ_MS = 1_500;

interface PaymentCardProps {
  payment: TrackedPayment;
  /** True inside a dialog, because the dialog already has a frame. */
  isCompact?: boolean;
  next: ReactNode;
}

export function PaymentCard({ payment, isCompact = false, next }: PaymentCardProps) {
  const { kept, progress, isResumed, isOnPageOnly } = payment;
  const hasEnded = progress.status !== 'sending' && progress.status !== 'pending';
  // Without a layout effect, the shell would announce the outcome too.
  useLayoutEffect(() => {
    notePaymentView(kept.id, { isShown: true });
    return () => notePaymentView(kept.id, { isShown: false });
  }, [kept.id]);
  useEffect(() => {
    if (!hasEnded) return;
    // An outcome shown for less time counts as unread, because the user may already be leaving the page.
    const timer = setTimeout(() => notePaymentView(kept.id, { isSeen: true }), READ_MS);
    return () => clearTimeout(timer);
  }, [hasEnded, kept.id]);
  return (
    <section
      aria-label={words.label(`${kept.amount} ${kept.symbol}`)}
      className={cn('grid grid-cols-[minmax(0,1fr)] gap-5', !isCompact && 'rounded-md border border-line p-4 lg:p-6')}
    >
      <div className={cn('grid gap-5', !isCompact && 'lg:grid-cols-[auto_minmax(0,1fr)] lg:items-center lg:gap-16')}>
        <div className="grid gap-1">
          <h2 className="flex flex-wrap items-center gap-2 text-sm font-medium">
            {words.titles[progress.status]}
            {isResumed && progress.status !== 'credited' && <Badge>{words.takenUpAgain}</Badge>}
          </h2>
          <p className="figures text-2xl font-semibold tracking-tight">
            {kept.amount} <span className="text-lg font-medium text-dim">{kept.symbol}</span>
          </p>
          <p className="text-sm text-dim">
            {words.from} <span className="figures text-xs">{shortAddress(kept.payer)}</span> {words.on(kept.title)}
          </p>
        </div>
        <ProgressLine label={words.line.label} steps={paymentSteps(progress)} place={paymentPlaceOf(progress)} />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        {(progress.status === 'sending' || progress.status === 'pending') && (
          <UnderWay kept={kept} progress={progress} isOnPageOnly={isOnPageOnly} />
        )}
        {progress.status === 'credited' && <Receipt kept={kept} outcome={progress.outcome} next={next} />}
        {progress.status === 'refused' && <Refused kept={kept} outcome={progress.outcome} />}
        {progress.status === 'stopped' && <Stopped kept={kept} error={progress.error} />}
      </div>
    </section>
  );
}

type Kept = TrackedPayment['kept'];

const REFUSAL_CODE = 'X402_INVALID_PAYMENT';

function UnderWay({
  kept,
  progress,
  isOnPageOnly,
}: {
  kept: Kept;
  progress: Extract<PaymentProgress, { status: 'sending' | 'pending' }>;
  isOnPageOnly: boolean;
}) {
  const leftMs = kept.expiresAtMs - useNow(1000);
  // An executed payment only waits for its chain, so its expiry no longer matters.
  const isExecuted =
    progress.status === 'pending' &&
    (progress.outcome.stage === 'settled' ||
      (progress.outcome.stage === 'submitted' && progress.outcome.waitingFor !== null));
  return (
    <div className="grid gap-3 text-sm">
      <p role="status">{progressSentence(progress)}</p>
      {isOnPageOnly && (
        <Notice tone="warn" title={words.leaveOpen}>
          {words.onPageOnly}
        </Notice>
      )}
      {progress.status === 'pending' && (
        <Notice
          {...(progress.outcome.stage === 'unknown'
            ? { tone: 'warn', title: progress.outcome.message }
            : { tone: 'info', title: words.nothingToDo })}
        >
          <p>{words.asksAgain}</p>
          {progress.outcome.paymentId !== null && (
            <p className="text-xs">
              {words.payment} <span className="figures break-all">{progress.outcome.paymentId}</span>
            </p>
          )}
        </Notice>
      )}
      <p className="text-xs text-faint">
        {!isExecuted && leftMs > 0 && (
          <>
            {words.canStillBeExecuted} <span className="figures">{formatCountdown(leftMs)}</span>.{' '}
          </>
        )}
        {!isExecuted && leftMs <= 0 && words.timeIsOver}
        {!isOnPageOnly && words.isKept}
      </p>
    </div>
  );
}

function Refused({
  kept,
  outcome,
}: {
  kept: Kept;
  outcome: Extract<PaymentProgress, { status: 'refused' }>['outcome'];
}) {
  const sandbox = useSandbox();
  const { cure, remedy } = paymentAdviceOf(outcome.reason);
  return (
    <Notice
      tone="bad"
      title={outcome.message}
      actions={
        <>
          <Button size="sm" tone="primary" onClick={() => dismissPayment(kept.id)}>
            {remedy === 'change-amount'
              ? words.chooseAmount
              : remedy === 'other-wallet'
                ? words.otherWallet
                : words.payAnew}
          </Button>
          {remedy === 'fund' && sandbox.data && <FundButton />}
        </>
      }
    >
      <p>{cure}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <span className="figures">{REFUSAL_CODE}</span>
        <span className="figures break-all">{outcome.reason}</span>
        {outcome.paymentId !== null && (
          <span className="figures break-all">
            {words.payment} {outcome.paymentId}
          </span>
        )}
      </p>
    </Notice>
  );
}

function Stopped({ kept, error }: { kept: Kept; error: Error }) {
  const reads = useReads();
  const hasExpired = useNow(1000) > kept.expiresAtMs;
  const failure = classifyFailure(error);
  return (
    <Notice
      tone="bad"
      title={error.message}
      actions={
        <>
          <Button size="sm" tone="primary" onClick={() => retryPayment(kept.id, reads)}>
            <RotateCw aria-hidden />
            {words.askAgain}
          </Button>
          {hasExpired && (
            <Button size="sm" onClick={() => dismissPayment(kept.id)}>
              {words.forget}
            </Button>
          )}
        </>
      }
    >
      <p>{words.notKnown}</p>
      {failure.kind === 'refused' && failure.error.detail.hint && <p>{failure.error.detail.hint}</p>}
      {hasExpired && <p>{words.overButCredited}</p>}
    </Notice>
  );
}

export type PaymentRemedy = 'fund' | 'sign-again' | 'change-amount' | 'other-wallet';

export interface PaymentAdvice {
  cure: string;
  remedy: PaymentRemedy;
}

/** Advice for each word that a refusal's reason may contain. The first matching entry applies. */
const ADVICE: readonly (readonly [string, PaymentAdvice])[] = [
  ['insufficient', { cure: paymentCureWords.insufficient, remedy: 'fund' }],
  ['amount_too_small', { cure: paymentCureWords.tooSmall, remedy: 'change-amount' }],
  ['amount_too_large', { cure: paymentCureWords.tooLarge, remedy: 'change-amount' }],
  ['authorization_already_used', { cure: paymentCureWords.alreadyUsed, remedy: 'sign-again' }],
  ['malleable', { cure: paymentCureWords.malleable, remedy: 'other-wallet' }],
  ['gas_too_high', { cure: paymentCureWords.gasTooHigh, remedy: 'other-wallet' }],
  ['factory', { cure: paymentCureWords.notDeployed, remedy: 'other-wallet' }],
  ['nonce', { cure: paymentCureWords.nonceUsed, remedy: 'sign-again' }],
  ['valid_before', { cure: paymentCureWords.tooLate, remedy: 'sign-again' }],
  ['valid_after', { cure: paymentCureWords.tooEarly, remedy: 'sign-again' }],
  ['signature', { cure: paymentCureWords.signature, remedy: 'sign-again' }],
  ['simulation_failed', { cure: paymentCureWords.simulationFailed, remedy: 'fund' }],
  ['payment_failed', { cure: paymentCureWords.failed, remedy: 'sign-again' }],
];

export function paymentAdviceOf(reason: string): PaymentAdvice {
  return ADVICE.find(([word]) => reason.includes(word))?.[1] ?? { cure: paymentCureWords.other, remedy: 'sign-again' };
}

export function progressSentence(progress: PaymentProgress): string {
  if (progress.status === 'sending') return paymentProgressWords.sending;
  if (progress.status !== 'pending') return '';
  const { stage, message } = progress.outcome;
  return stage === 'unknown' ? paymentProgressWords.notKnown : message;
}

const [SUBMITTED, CONFIRMED, CREDITED, ALL] = [1, 2, 3, 4];

export function paymentPlaceOf(progress: PaymentProgress): LinePlace {
  switch (progress.status) {
    case 'sending':
      return { reached: SUBMITTED, kind: 'active' };
    case 'pending':
      return { reached: pendingStep(progress.outcome.stage), kind: 'active' };
    case 'credited':
      return { reached: ALL, kind: 'done' };
    case 'refused':
    case 'stopped':
      return { reached: SUBMITTED, kind: 'failed' };
  }
}

function pendingStep(stage: Extract<PaymentProgress, { status: 'pending' }>['outcome']['stage']): number {
  if (stage === 'settled') return CREDITED;
  return stage === 'submitted' ? CONFIRMED : SUBMITTED;
}

/** Returns the steps' names, such as "Confirmed 3 of 8". */
export function paymentSteps(progress: PaymentProgress): readonly string[] {
  const { signed, submitted, confirmed, credited } = words.line;
  const waitingFor = progress.status === 'pending' ? (progress.outcome.waitingFor ?? '') : '';
  const [, blocks, needed] = /\b(\d+) of (\d+) blocks\b/.exec(waitingFor) ?? [];
  return [signed, submitted, blocks === undefined ? confirmed : `${confirmed} ${blocks} of ${needed}`, credited];
}
