'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { formatDuration } from '@/lib/browser/text/amounts';
import { formatMoment } from '@/lib/browser/text/moments';
import type { Attestation } from '@/lib/client/private-chat';
import type { EnclaveCheck } from '@/lib/protocol/attestation/enclave-checks';
import { type ReactNode, useState } from 'react';
import type { Chat } from '../use-chat';
import { CHANGED, checksOnTheWay, passedOf, VERDICTS } from './verdicts';
import { isFailure } from './grouped-checks';
import { takeUnknownWorkload, useTakesUnknownWorkload } from './kept-pins';
import { attestedKeyOf } from './privacy-store';
import { chatHopWords, chatPrivacyWords as words } from './words';

/** Shows this browser's verdict, the basis of the verdict, and the server's claim. */
export function VerdictBanner({
  chat,
  attestation,
  keyBefore,
  isChanged,
}: {
  chat: Chat;
  attestation: Attestation;
  keyBefore: string | null;
  isChanged: boolean;
}) {
  const { verdict, claim, nonce, verifyMs, model } = attestation;
  const { Icon, ink, box } = isChanged ? CHANGED : VERDICTS[verdict.conclusion];
  const { word, sentence } = words.verdicts[verdict.conclusion];
  const { enclaves, checks } = checksOnTheWay(verdict);
  const key = attestedKeyOf(attestation);
  const passed = passedOf(checks);
  const notMade = checks.filter(({ outcome }) => outcome === 'not-checkable').length;
  return (
    <section
      aria-label={words.banner.label}
      data-verdict={verdict.conclusion}
      className={cn('grid gap-3 rounded-md p-3', box)}
    >
      <div className="flex items-start gap-3">
        <Icon aria-hidden className={cn('mt-0.5 size-7 shrink-0', ink)} />
        <div className="grid min-w-0 gap-1">
          <h2 className={cn('text-lg font-semibold', ink)}>{isChanged ? chatHopWords.changes.verdict(word) : word}</h2>
          {verdict.reason !== null && <p className="font-medium wrap-anywhere">{verdict.reason}</p>}
          <p className="text-sm text-dim">
            {sentence}{' '}
            <button type="button" className="text-amber-ink underline-offset-4 hover:underline" onClick={showMeaning}>
              {words.banner.whatItMeans}
            </button>
          </p>
          {verdict.workload !== null && (
            <p className="text-sm wrap-anywhere">{words.banner.workload(verdict.workload)}</p>
          )}
        </div>
      </div>
      {verdict.conclusion === 'failed' && <FailedChecks checks={verdict.checks.filter(isFailure)} />}
      {verdict.conclusion === 'unknown-workload' && <UnknownWorkload chat={chat} modelId={model} />}
      <dl className="grid gap-x-4 gap-y-2 border-t border-line pt-3 text-xs sm:grid-cols-[auto_minmax(0,1fr)]">
        <Fact name={words.banner.verifiedHere}>
          {words.banner.summary(
            passed,
            checks.length,
            enclaves,
            notMade,
            formatMoment(verdict.checkedAtMs),
            formatDuration(verifyMs),
          )}
        </Fact>
        <Fact name={words.banner.serverSays}>
          <span className="figures">{words.banner.verified(claim.verified)}</span>
          {claim.verdict !== null && <span className="figures">, {claim.verdict}</span>}{' '}
          <span className="text-dim">{words.banner.notBelieved}</span>
        </Fact>
        <Fact name={words.banner.nonce}>
          <Long text={nonce} label={words.banner.copyNonce} />
        </Fact>
        <Fact name={words.banner.key}>
          {key === null ? (
            <span className="text-dim">{words.banner.noKey}</span>
          ) : (
            <Long text={key} label={words.banner.copyAddress} />
          )}
        </Fact>
        {keyBefore !== null && (
          <Fact name={words.banner.keyBefore}>
            <span className="font-medium text-amber-ink">{words.banner.otherKey}</span> {words.banner.otherKeyMeans}
            <Long text={keyBefore} label={words.banner.copyKeyBefore} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** Maximum number of failed checks to show. The Privacy panel shows all failed checks. */
const FAILED_SHOWN = 3;

export function FailedChecks({ checks }: { checks: readonly EnclaveCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm">
      <ul aria-label={words.banner.failures} className="grid gap-1">
        {checks.slice(0, FAILED_SHOWN).map(({ id, title, reason }) => (
          <li key={id} className="wrap-anywhere">
            <span className="font-medium">{words.banner.failed(title)}</span> {reason}
          </li>
        ))}
      </ul>
      {checks.length > FAILED_SHOWN && <p className="text-dim">{words.banner.more(checks.length - FAILED_SHOWN)}</p>}
    </div>
  );
}

function UnknownWorkload({ chat, modelId }: { chat: Chat; modelId: string }) {
  const takes = useTakesUnknownWorkload(modelId);
  const change = () => {
    takeUnknownWorkload(modelId, !takes);
    void chat.checkPrivacy();
  };
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p>{takes ? words.banner.takesUnknown : words.banner.refusesUnknown}</p>
      <Button size="sm" aria-pressed={takes} onClick={change}>
        {takes ? words.banner.refuse : words.banner.take}
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

const MeaningList = onDemand(() => import('./meaning-list').then((module) => module.MeaningList), {
  waiting: <Skeleton className="h-96" />,
});

const ID = 'what-verified-means';

function showMeaning(): void {
  const details = document.getElementById(ID) as HTMLDetailsElement | null;
  if (details === null) return;
  details.open = true;
  details.scrollIntoView({ block: 'start' });
  details.querySelector('summary')?.focus({ preventScroll: true });
}

/** Explains the verdict "verified". */
export function Meaning() {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      id={ID}
      className="group scroll-mt-2 overflow-hidden rounded-md border border-line"
      onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
    >
      <Summary
        onPointerEnter={MeaningList.preload}
        onFocus={MeaningList.preload}
        className="min-h-9 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11"
      >
        {words.meaning.title}
      </Summary>
      <div className="grid gap-4 border-t border-line bg-surface p-3 text-sm">
        <p className="text-dim">{words.meaning.lead}</p>
        {wasOpened && <MeaningList />}
      </div>
    </details>
  );
}
