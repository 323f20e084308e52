'use client';

import { CredentialRemedy } from '@/components/shell/credential-remedy';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
import type { CallCredential, GatewayError, UnreachableError } from '@/lib/client';
import { renewIdempotencyKey } from '@/lib/browser/idempotency-key';
import { RefreshCw, RotateCw } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';

interface ProblemProps<E> {
  error: E;
  /** Sends the same request again, with the given credential where there is a new one. */
  onRetry: (presented?: CallCredential) => void;
  /** Sends it again under a new Idempotency-Key; absent where it had one, or where none can be sent. */
  onRetryWithKey?: (() => void) | undefined;
}

/** Why a call got no answer, and what to do: sentence, code, hint, fields, and the action that helps. */
export function GatewayProblem({ error, onRetry, onRetryWithKey }: ProblemProps<Error>) {
  const failure = classifyFailure(error);
  if (failure.kind === 'unreachable') return <Unreachable error={failure.error} onRetry={onRetry} onRetryWithKey={onRetryWithKey} />;
  if (failure.kind === 'intercepted') return <Intercepted error={failure.error} onRetry={onRetry} onRetryWithKey={onRetryWithKey} />;
  if (failure.kind === 'refused') return <Refused error={failure.error} onRetry={onRetry} />;
  return <Notice tone="bad" title={`The call failed in this browser: ${error.message}`} actions={<Retry onRetry={onRetry} />} />;
}

function Unreachable({ error, onRetry, onRetryWithKey }: ProblemProps<UnreachableError>) {
  if (error.aborted) {
    return <Notice tone="info" title={error.message} actions={<Retry onRetry={onRetry} />}>Whether it was charged depends on how far it had come.</Notice>;
  }
  if (error.hasBegun) {
    return (
      <Notice tone="bad" title={error.message} actions={onRetryWithKey ? <RetryWithKey onRetry={onRetryWithKey} /> : <Retry onRetry={onRetry} />}>
        <p>It stopped, or the connection to it did. What it had done until then may have been charged.{onRetryWithKey && ' Sent with an Idempotency-Key, a call is charged once, however often it is sent.'}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={error.message} actions={<Retry onRetry={onRetry} />}>
      <p>Check that it is running and that this machine is online, then try again. If the call had reached it, it may have been charged.</p>
    </Notice>
  );
}

function Intercepted({ error, onRetry, onRetryWithKey }: ProblemProps<GatewayError>) {
  return (
    <Notice tone="bad" title={error.message} actions={onRetryWithKey ? <RetryWithKey onRetry={onRetryWithKey} /> : <Retry onRetry={onRetry} />}>
      <p>Something between this browser and the gateway, such as a proxy or a sign-in page, answered in its place. Whether the call reached the gateway is not known.</p>
      <p>{onRetryWithKey ? 'Send it again with an Idempotency-Key: however often it is sent from then on, it is charged once.' : 'Check the connection, then send it again. Under the same Idempotency-Key a call is charged once.'}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <span className="figures">HTTP {error.status}</span>
        <span>may have been charged</span>
      </p>
    </Notice>
  );
}

function Refused({ error, onRetry }: ProblemProps<GatewayError>) {
  const { code, hint, customMessage, fieldErrors, requestId } = error.detail;
  const needsCredential = error.status === 401 || error.status === 402;
  const canRetry = error.status === 429 || error.status >= 500;
  return (
    <>
      <Notice tone="bad" title={error.message} {...(canRetry ? { actions: <Retry onRetry={onRetry} /> } : code !== null && NEEDS_NEW_KEY.has(code) ? { actions: <RenewKey /> } : {})}>
        {customMessage && customMessage !== error.message && <p>{customMessage}</p>}
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
        {hint && <p>{hint}</p>}
        <RateLimitReset resetAtMs={error.detail.rateLimit?.resetAtMs ?? null} />
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
          <span className="figures">HTTP {error.status}</span>
          {code && (
            <Link href={`/reference#error-${code}`} title="This error in the API reference" className="figures underline underline-offset-4 hover:text-ink">
              {code}
            </Link>
          )}
          <span>not charged</span>
          {requestId && <span className="figures break-all">request {requestId}</span>}
        </p>
      </Notice>
      {needsCredential && <CredentialRemedy error={error} onRetry={onRetry} />}
    </>
  );
}

function Retry({ onRetry }: Pick<ProblemProps<Error>, 'onRetry'>) {
  return (
    <Button size="sm" onClick={() => onRetry()}>
      <RotateCw aria-hidden />
      Send again
    </Button>
  );
}

function RetryWithKey({ onRetry }: { onRetry: () => void }) {
  return (
    <Button size="sm" onClick={onRetry}>
      <RotateCw aria-hidden />
      Send again with an Idempotency-Key
    </Button>
  );
}

/** Refusals of the key, not of the call. */
const NEEDS_NEW_KEY: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENT_ANSWER_NOT_KEPT']);

function RenewKey() {
  return (
    <Button size="sm" onClick={renewIdempotencyKey}>
      <RefreshCw aria-hidden />
      Make a new key
    </Button>
  );
}

/** Counts down to the moment at which a rate limit lets calls through again. */
function RateLimitReset({ resetAtMs }: { resetAtMs: number | null }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (resetAtMs === null) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [resetAtMs]);
  if (resetAtMs === null) return null;
  const seconds = Math.max(0, Math.ceil((resetAtMs - nowMs) / 1000));
  return <p>{seconds === 0 ? 'The limit is reset: send again.' : <>Resets in <span className="figures">{seconds} s</span>.</>}</p>;
}
