'use client';

import { FundButton } from '@/components/wallet/fund-button';
import { Button } from '@/components/ui/button';
import { Badge } from '@/components/ui/badge';
import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
import { formatCountdown, useNow } from '@/lib/browser/clock';
import { useSandbox } from '@/lib/browser/sandbox';
import { paymentAdviceOf, progressSentence } from '@/lib/browser/top-up/payment-advice';
import { dismissPayment, type PaymentProgress, retryPayment, type TrackedPayment } from '@/lib/browser/top-up/payment-follower';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { PaySteps } from './pay-steps';
import { Receipt } from './receipt';

/** A payment that is signed: how far it is, its receipt, or why it was not accepted. */
export function PaymentCard({ payment }: { payment: TrackedPayment }) {
  const { kept, progress, isResumed } = payment;
  return (
    <section aria-label={`Payment of ${kept.amount} ${kept.symbol}`} className="grid gap-6 rounded-md border border-line p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-8">
      <div className="grid min-w-0 content-start gap-4">
        <div className="grid gap-1">
          <h2 className="flex flex-wrap items-center gap-2 text-sm font-medium">
            {TITLES[progress.status]}
            {isResumed && progress.status !== 'credited' && <Badge>taken up again</Badge>}
          </h2>
          <p className="figures text-2xl font-semibold tracking-tight">
            {kept.amount} <span className="text-lg font-medium text-dim">{kept.symbol}</span>
          </p>
          <p className="text-sm text-dim">
            from <span className="figures text-xs">{shortAddress(kept.payer)}</span> on {kept.title}
          </p>
        </div>
        {(progress.status === 'sending' || progress.status === 'pending') && <UnderWay kept={kept} progress={progress} />}
        {progress.status === 'credited' && <Receipt kept={kept} outcome={progress.outcome} onDone={() => dismissPayment(kept.id)} />}
        {progress.status === 'refused' && <Refused kept={kept} outcome={progress.outcome} />}
        {progress.status === 'stopped' && <Stopped kept={kept} error={progress.error} />}
      </div>
      <PaySteps state={progress} rail={kept} />
    </section>
  );
}

const TITLES: Record<PaymentProgress['status'], string> = { sending: 'On its way', pending: 'On its way', credited: 'Credited', refused: 'Not accepted', stopped: 'No word of it' };

type Kept = TrackedPayment['kept'];

function UnderWay({ kept, progress }: { kept: Kept; progress: Extract<PaymentProgress, { status: 'sending' | 'pending' }> }) {
  const leftMs = kept.expiresAtMs - useNow(1000);
  // What has been executed waits for its chain alone: by when it could be executed says nothing any more.
  const isExecuted = progress.status === 'pending' && (progress.outcome.stage === 'settled' || (progress.outcome.stage === 'submitted' && progress.outcome.waitingFor !== null));
  return (
    <div className="grid gap-3 text-sm">
      <p role="status">{progressSentence(progress)}</p>
      {progress.status === 'pending' && (
        <Notice {...(progress.outcome.stage === 'unknown' ? { tone: 'warn', title: progress.outcome.message } : { tone: 'info', title: 'There is nothing for you to do.' })}>
          <p>This page asks again by itself, by sending the same payment: it is credited once, however often it is sent. Sign no other for the same purpose.</p>
          {progress.outcome.paymentId !== null && (
            <p className="text-xs">
              payment <span className="figures break-all">{progress.outcome.paymentId}</span>
            </p>
          )}
        </Notice>
      )}
      <p className="text-xs text-faint">
        {!isExecuted && leftMs > 0 && (
          <>
            It can be executed for another <span className="figures">{formatCountdown(leftMs)}</span>.{' '}
          </>
        )}
        {!isExecuted && leftMs <= 0 && 'Its time is over: what has not been executed by now never will be. '}
        This browser keeps it until it has ended; the page may be closed or reloaded meanwhile.
      </p>
    </div>
  );
}

function Refused({ kept, outcome }: { kept: Kept; outcome: Extract<PaymentProgress, { status: 'refused' }>['outcome'] }) {
  const sandbox = useSandbox();
  const { cure, remedy } = paymentAdviceOf(outcome.reason);
  return (
    <Notice
      tone="bad"
      title={outcome.message}
      actions={
        <>
          <Button size="sm" tone="primary" onClick={() => dismissPayment(kept.id)}>
            {remedy === 'change-amount' ? 'Choose another amount' : remedy === 'other-wallet' ? 'Pay with another wallet' : 'Pay anew'}
          </Button>
          {remedy === 'fund' && sandbox.data && <FundButton />}
        </>
      }
    >
      <p>{cure}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <span className="figures">X402_INVALID_PAYMENT</span>
        <span className="figures break-all">{outcome.reason}</span>
        {outcome.paymentId !== null && <span className="figures break-all">payment {outcome.paymentId}</span>}
      </p>
    </Notice>
  );
}

function Stopped({ kept, error }: { kept: Kept; error: Error }) {
  const queries = useQueryClient();
  const hasExpired = useNow(1000) > kept.expiresAtMs;
  const failure = classifyFailure(error);
  return (
    <Notice
      tone="bad"
      title={error.message}
      actions={
        <>
          <Button size="sm" tone="primary" onClick={() => retryPayment(kept.id, queries)}>
            <RotateCw aria-hidden />
            Ask again
          </Button>
          {hasExpired && (
            <Button size="sm" onClick={() => dismissPayment(kept.id)}>
              Forget it
            </Button>
          )}
        </>
      }
    >
      <p>Whether the payment was taken is not known. It is kept in this browser: asking again sends the same payment, which is credited once.</p>
      {failure.kind === 'refused' && failure.error.detail.hint && <p>{failure.error.detail.hint}</p>}
      {hasExpired && <p>Its time is over. If it came in, it is credited without this browser too, and the history below will show it.</p>}
    </Notice>
  );
}
