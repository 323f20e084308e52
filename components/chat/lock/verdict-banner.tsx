'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { formatDuration } from '@/lib/browser/amounts';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { takeUnknownWorkload, useTakesUnknownWorkload } from '@/lib/browser/chat/workload-pins';
import type { Attestation } from '@/lib/client/private-chat';
import type { Check } from '@/lib/protocol/tee/check-list';
import type { ReactNode } from 'react';
import { isFailure } from './grouped-checks';
import { VERDICTS } from './verdicts';

/** The verdict of this browser, what it rests on, and beside it what the server says. */
export function VerdictBanner({ chat, attestation, keyBefore }: { chat: Chat; attestation: Attestation; keyBefore: string | null }) {
  const { verdict, claim, nonce, latencyMs, verifyMs, model } = attestation;
  const { word, sentence, Icon, ink, box } = VERDICTS[verdict.conclusion];
  const passed = verdict.checks.filter(({ outcome }) => outcome === 'passed').length;
  const notMade = verdict.checks.filter(({ outcome }) => outcome === 'not-checkable').length;
  return (
    <section aria-label="Verdict" data-verdict={verdict.conclusion} className={cn('grid gap-3 rounded-md p-3', box)}>
      <div className="flex items-start gap-3">
        <Icon aria-hidden className={cn('mt-0.5 size-7 shrink-0', ink)} />
        <div className="grid min-w-0 gap-1">
          <h2 className={cn('text-lg font-semibold', ink)}>{word}</h2>
          {verdict.reason !== null && <p className="font-medium wrap-anywhere">{verdict.reason}</p>}
          <p className="text-sm text-dim">{sentence}</p>
          {verdict.workload !== null && <p className="text-sm wrap-anywhere">Workload: {verdict.workload}</p>}
        </div>
      </div>
      {verdict.conclusion === 'failed' && <FailedChecks checks={verdict.checks.filter(isFailure)} />}
      {verdict.conclusion === 'unknown-workload' && <UnknownWorkload chat={chat} modelId={model} />}
      <dl className="grid gap-x-4 gap-y-1.5 border-t border-line pt-3 text-xs sm:grid-cols-[auto_minmax(0,1fr)]">
        <Fact name="Verified here">
          {passed} of {verdict.checks.length} checks passed{notMade > 0 && `, ${notMade} could not be made`}, {new Date(verdict.checkedAtMs).toLocaleTimeString()}, in {formatDuration(verifyMs)} (asking took {formatDuration(latencyMs)})
        </Fact>
        <Fact name="The server says">
          <span className="figures">verified: {claim.verified === null ? 'nothing' : String(claim.verified)}</span>
          {claim.verdict !== null && <span className="figures">, {claim.verdict}</span>} <span className="text-dim">(shown, not believed)</span>
        </Fact>
        <Fact name="Nonce">
          <Long text={nonce} label="Copy the nonce" />
        </Fact>
        <Fact name="Bound key">{verdict.key === null ? <span className="text-dim">none to rely on</span> : <Long text={verdict.key.address} label="Copy the address" />}</Fact>
        {keyBefore !== null && (
          <Fact name="Key before">
            <span className="font-medium text-amber-ink">Another key than before:</span> the enclave was started anew, or another one answers in its place.
            <Long text={keyBefore} label="Copy the address attested before" />
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** A report that cannot be read fails many checks at once; the groups below show them all. */
const FAILED_SHOWN = 3;

/** Which checks failed, and why, where the verdict is. */
export function FailedChecks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm">
      <ul aria-label="What failed" className="grid gap-1">
        {checks.slice(0, FAILED_SHOWN).map(({ id, title, reason }) => (
          <li key={id} className="wrap-anywhere">
            <span className="font-medium">Failed: {title}.</span> {reason}
          </li>
        ))}
      </ul>
      {checks.length > FAILED_SHOWN && <p className="text-dim">and {checks.length - FAILED_SHOWN} more, below</p>}
    </div>
  );
}

function UnknownWorkload({ chat, modelId }: { chat: Chat; modelId: string }) {
  const takes = useTakesUnknownWorkload(modelId);
  const change = () => {
    takeUnknownWorkload(modelId, !takes);
    void chat.checkLock();
  };
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p>{takes ? 'You send to it all the same.' : 'Nothing is sent to it unless you pin its workload below, or say that any workload will do.'}</p>
      <Button size="sm" aria-pressed={takes} onClick={change}>
        {takes ? 'Send to pinned workloads only' : 'Send whatever runs there'}
      </Button>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function Long({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="figures min-w-0 truncate">{text}</span>
      <CopyButton text={text} label={label} iconOnly className="-my-1 size-6" />
    </span>
  );
}
