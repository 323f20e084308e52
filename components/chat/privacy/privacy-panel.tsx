'use client';

import { ChoosePayer } from '@/components/paying/choose-payer';
import { FailureCard } from '@/components/paying/recovery/failure-card';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import { isWithout } from '@/lib/browser/credential/credential';
import { saveFile } from '@/lib/browser/storage/save-file';
import type { Attestation } from '@/lib/client/private-chat';
import type { ReportChange } from '@/lib/protocol/attestation/report-changes';
import { Download, RefreshCw } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { usePrivacySide } from '../chat-view';
import { CommandLine, PlainHttpNotice } from '../plain-http-notice';
import type { Chat } from '../use-chat';
import { EnclaveChecks } from './check-groups';
import { HopList } from './hop-list';
import { attestedHops, relayedHops } from './prompt-hops';
import { Meaning, VerdictBanner } from './verdict-banner';
import { seeChanges } from './privacy-store';
import { chatHopWords, chatPrivacyWords as words } from './words';
import { WorkloadPins } from './workload-pins';

/** Loaded on demand, because reports rarely change. */
const ReportChanges = onDemand(() => import('./report-changes').then((module) => module.ReportChanges), {
  waiting: <Skeleton className="h-44" />,
});

const PrivacySides = onDemand(() => import('./privacy-sides').then((module) => module.PrivacySides), {
  waiting: <Skeleton className="m-4 h-7" />,
});

/** Shows the verdict of the model, or of one of two compared models. */
export default function PrivacyPanel({ chat }: { chat: Chat }) {
  const chosen = usePrivacySide();
  const shown = chat.beside === null ? 'main' : chosen;
  return (
    <>
      {chat.beside !== null && <PrivacySides chat={chat} shown={shown} />}
      <PanelOf key={shown} chat={shown === 'beside' ? { ...chat, ...chat.beside } : chat} />
    </>
  );
}

function PanelOf({ chat }: { chat: Chat }) {
  const { model, credential } = chat;
  // Deferred, because a verdict renders dozens of lines. Meanwhile, the chip in the chat's bar shows the result.
  const privacy = useDeferredValue(chat.privacy);
  // Keeps the previous result during a new verification, so that readers keep their place.
  const [before, setBefore] = useState(privacy.kind === 'judged' ? privacy : null);
  if (privacy.kind === 'judged' && privacy !== before) setBefore(privacy);
  const judged =
    privacy.kind === 'judged'
      ? privacy
      : privacy.kind === 'checking' && before?.attestation.model === model?.id
        ? before
        : null;
  const isWaiting = privacy.kind === 'unchecked' && isWithout(credential);
  if (model === null) return <p className="px-6 py-16 text-center text-sm text-dim">{words.noModel}</p>;
  if (!model.can.attest) return <NoPrivacy name={model.id} />;
  return (
    <div className="grid gap-5 p-3 lg:p-4">
      {chat.isOnPlainHttp ? (
        <PlainHttpNotice />
      ) : isWaiting ? (
        <NoCredential />
      ) : (
        (privacy.kind === 'unchecked' || privacy.kind === 'checking') && judged === null && <PrivacySkeleton />
      )}
      {privacy.kind === 'unanswered' && (
        <>
          <Notice tone="warn" title={words.unanswered} />
          <FailureCard isRead error={privacy.error} onRetry={() => void chat.checkPrivacy()} />
        </>
      )}
      {judged !== null && (
        <Judged
          chat={chat}
          attestation={judged.attestation}
          keyBefore={judged.keyBefore}
          changes={judged.changes}
          isAgain={privacy.kind === 'checking'}
        />
      )}
      {(privacy.kind !== 'checking' || judged !== null) &&
        (privacy.kind !== 'unchecked' || isWaiting || chat.isOnPlainHttp) && <Meaning />}
      {privacy.kind !== 'unchecked' && (privacy.kind !== 'checking' || judged !== null) && (
        <CannotProve isEncryptable={model.can.encrypt} />
      )}
    </div>
  );
}

function Judged({
  chat,
  attestation,
  keyBefore,
  changes,
  isAgain,
}: {
  chat: Chat;
  attestation: Attestation;
  keyBefore: string | null;
  changes: readonly ReportChange[];
  isAgain: boolean;
}) {
  const { verdict, model } = attestation;
  return (
    <>
      {changes.length > 0 && (
        <ReportChanges title={chatHopWords.changes.title} changes={changes} onSeen={() => seeChanges(model)} />
      )}
      <HopList hops={attestedHops(attestation)} />
      <VerdictBanner chat={chat} attestation={attestation} keyBefore={keyBefore} isChanged={changes.length > 0} />
      <MeasuredSince attestation={attestation} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-disabled={isAgain} onClick={() => !isAgain && void chat.checkPrivacy()}>
          <RefreshCw aria-hidden className={isAgain ? 'animate-spin' : undefined} />
          {isAgain ? words.verifying : words.verifyAgain}
        </Button>
        <Button
          size="sm"
          onClick={() =>
            saveFile(
              `attestation-${model}-${new Date(verdict.checkedAtMs).toISOString().replace(/[:.]/g, '-')}.json`,
              'application/json',
              attestation.exportText(),
            )
          }
        >
          <Download aria-hidden />
          {words.export}
        </Button>
      </div>
      <EnclaveChecks verdict={verdict} />
      <WorkloadPins model={model} verdict={verdict} onChanged={() => void chat.checkPrivacy()} />
      <QuoteFields report={attestation.report} />
    </>
  );
}

function NoCredential() {
  return (
    <Notice tone="info" title={words.noCredentialTitle} actions={<ChoosePayer />}>
      <p>{words.noCredential}</p>
    </Notice>
  );
}

function PrivacySkeleton() {
  return (
    <div role="status" aria-label={words.checking} className="grid gap-5">
      <Skeleton className="h-44" />
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-96" />
    </div>
  );
}

function NoPrivacy({ name }: { name: string }) {
  return (
    <div className="grid gap-3 p-3 lg:p-4">
      <Notice tone="info" title={words.noEnclaveTitle(name)}>
        <p>{words.noEnclave}</p>
      </Notice>
      <HopList hops={relayedHops()} />
      <Meaning />
    </div>
  );
}

function CannotProve({ isEncryptable }: { isEncryptable: boolean }) {
  return (
    <section aria-labelledby="cannot-prove" className="grid gap-2 border-t border-line pt-4 text-sm text-dim">
      <h3 id="cannot-prove" className="font-medium text-ink">
        {words.limits.title}
      </h3>
      <ul className="grid list-disc gap-1 pl-4">
        <li>{words.limits.itself}</li>
        <li>{words.limits.workload}</li>
        <li>{words.limits.model}</li>
        <li>{words.limits.hardware}</li>
        {isEncryptable ? <li>{words.limits.metadata}</li> : <li>{words.limits.readAlong}</li>}
      </ul>
      <p>{words.limits.command}</p>
      <CommandLine text="npx turnpike-client verify --file export.json" label={words.limits.copyCommand} />
    </section>
  );
}

const QuoteFieldList = onDemand(() => import('./quote-field-list').then((module) => module.QuoteFieldList), {
  waiting: <Skeleton className="h-96" />,
});

function QuoteFields({ report }: { report: unknown }) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      className="group overflow-hidden rounded-md border border-line"
      onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
    >
      <Summary
        onPointerEnter={QuoteFieldList.preload}
        onFocus={QuoteFieldList.preload}
        className="min-h-9 px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11"
      >
        {words.quote.title}
      </Summary>
      <div className="border-t border-line bg-surface p-2.5 text-xs">
        {wasOpened && <QuoteFieldList report={report} />}
      </div>
    </details>
  );
}

const MeasuredSince = onDemand(() => import('./measured-since-line').then((module) => module.MeasuredSinceLine), {
  waiting: <Waiting />,
});

function Waiting() {
  return <p className="min-h-6 text-sm text-dim">{words.measured.waiting}</p>;
}
