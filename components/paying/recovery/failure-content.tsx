'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { useCredential } from '@/lib/browser/credential/credential';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { useIsPageOffered, useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { renewIdempotencyKey } from '@/lib/browser/rpc/idempotency-key';
import type { CallCredential, GatewayError } from '@/lib/client';
import { KeyRound, RefreshCw, RotateCw } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { type FailureWords, type Remedy, wordsOn } from './failure-words';
import { forgetInterrupted, type InterruptedKind } from './interrupted-call';
import { useInterruption, useResume } from './use-resume';
import { OtherKey, PayWithWallet, SendWhenReady, SignInAndGoOn, TopUpHere } from './ways-out';
import { recoveryWords } from './words';

export interface FailureCardProps {
  error: Error;
  /** Sends the same call again, with the given credential if present. */
  onRetry: (presented?: CallCredential) => void;
  /**
   * Sends the call again under a new Idempotency-Key. Absent if the call had an Idempotency-Key, or if the API accepts
   * none for this call.
   */
  onRetryWithKey?: (() => void) | undefined;
  /** True if the call was a read that the page made in the background. */
  isRead?: boolean;
  /** Action that continues after a top-up on another page. */
  interrupts?: InterruptedKind | undefined;
  /** True if the call cannot be sent now, for example during another call. */
  isBusy?: boolean;
}

/**
 * Shows why a call failed, and controls that solve the problem. Once the problem is solved, the call continues
 * automatically.
 */
export function FailureContent({
  error,
  onRetry,
  onRetryWithKey,
  isRead = false,
  interrupts,
  isBusy = false,
}: FailureCardProps) {
  const credential = useCredential();
  const words = wordsOn(error, credential.kind, onRetryWithKey !== undefined, useIsWalletOfUse());
  // Waits for the credential, which is unknown right after a reload.
  const cannotSend = isBusy || credential.kind === 'pending';
  const [showsKeys, setShowsKeys] = useState(false);
  const keysId = useId();
  const goOn = useResume((presented) => {
    if (interrupts !== undefined) forgetInterrupted(interrupts);
    onRetry(presented);
  });
  useInterruption(
    interrupts,
    words.remedies.some((remedy) => remedy === 'top-up' || remedy === 'wallet'),
    goOn,
  );
  const isOffered = useIsPageOffered();
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Scrolls the remedy of a failed message into view.
    end.current?.closest('[role=log]')?.lastElementChild?.scrollIntoView({ block: 'end' });
  }, []);
  const failure = classifyFailure(error);
  const fromGateway = failure.kind === 'refused' || failure.kind === 'intercepted' ? failure.error : null;
  const has = (remedy: Remedy) => words.remedies.includes(remedy);
  return (
    <Notice
      tone={words.isCalm ? 'info' : 'bad'}
      title={words.title}
      actions={
        words.remedies.length > 0 && (
          <>
            {has('top-up') && isOffered('/top-up') && <TopUpHere onPaid={goOn} />}
            {has('sign-in') && <SignInAndGoOn onDone={goOn} />}
            {has('wallet') && <PayWithWallet isFirst={words.remedies[0] === 'wallet'} onDone={goOn} />}
            {has('key') && (
              <Button
                size="sm"
                tone={words.remedies.length === 1 ? 'primary' : 'outline'}
                aria-expanded={showsKeys}
                aria-controls={keysId}
                onClick={() => setShowsKeys(!showsKeys)}
              >
                <KeyRound aria-hidden />
                {credential.kind === 'own' || credential.kind === 'demo'
                  ? recoveryWords.payWithAnotherKey
                  : recoveryWords.payWithKey}
              </Button>
            )}
            {has('wait') && (
              <SendWhenReady key={words.readyAtMs} readyAtMs={words.readyAtMs} onSend={() => onRetry()} />
            )}
            {has('send') && (
              <Again
                label={isRead ? recoveryWords.tryAgain : recoveryWords.sendAgain}
                isBusy={cannotSend}
                onClick={() => onRetry()}
              />
            )}
            {has('send-once') && onRetryWithKey && (
              <Again label={recoveryWords.sendOnce} isBusy={cannotSend} onClick={onRetryWithKey} />
            )}
            {has('renew-key') && (
              <Button size="sm" onClick={renewIdempotencyKey}>
                <RefreshCw aria-hidden />
                {recoveryWords.newKey}
              </Button>
            )}
          </>
        )
      }
    >
      <span ref={end} />
      <Said words={words} refusal={fromGateway} isRead={isRead} />
      {has('key') && (
        <div id={keysId} hidden={!showsKeys} className="max-w-md">
          {showsKeys && <OtherKey onDone={goOn} />}
        </div>
      )}
    </Notice>
  );
}

function Again({ label, isBusy, onClick }: { label: string; isBusy: boolean; onClick: () => void }) {
  return (
    <Button size="sm" disabled={isBusy} onClick={onClick}>
      <RotateCw aria-hidden />
      {label}
    </Button>
  );
}

function Said({ words, refusal, isRead }: { words: FailureWords; refusal: GatewayError | null; isRead: boolean }) {
  const fieldErrors = refusal?.detail.fieldErrors ?? [];
  return (
    <>
      {/* Omits the explanation of a failed read whose first remedy is a retry. */}
      {!(isRead && words.remedies[0] === 'send') && words.lines.map((line) => <p key={line}>{line}</p>)}
      {fieldErrors.length > 0 && (
        <ul className="list-disc pl-4">
          {fieldErrors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path && <code className="figures text-xs">{path}: </code>}
              {message}
            </li>
          ))}
        </ul>
      )}
      {refusal !== null && <FailureFacts error={refusal} charge={isRead ? null : words.charge} />}
    </>
  );
}

function FailureFacts({
  error: { status, detail },
  charge,
}: {
  error: GatewayError;
  charge: FailureWords['charge'] | null;
}) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <span className="figures">{recoveryWords.facts.status(status)}</span>
      {detail.code && (
        <PageLink
          href={`/reference#error-${detail.code}`}
          title={recoveryWords.facts.reference(detail.code)}
          className="figures underline underline-offset-4 hover:text-ink"
        >
          {detail.code}
        </PageLink>
      )}
      {charge !== null && (
        <span>{charge === 'none' ? recoveryWords.facts.notCharged : recoveryWords.facts.maybeCharged}</span>
      )}
      {detail.requestId && <span className="figures break-all">{recoveryWords.facts.request(detail.requestId)}</span>}
    </p>
  );
}
