'use client';

import { CommandLine } from '@/components/chat/command-line';
import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import type { Chat } from '@/lib/browser/chat/use-chat';
import { isWithout } from '@/lib/browser/credential';
import { saveFile } from '@/lib/browser/save-file';
import type { Attestation } from '@/lib/client/private-chat';
import { Download, RefreshCw } from 'lucide-react';
import { CheckGroups } from './check-groups';
import { QuoteFields } from './quote-fields';
import { VerdictBanner } from './verdict-banner';
import { WorkloadPins } from './workload-pins';

/** The lock of a model: what its enclave proves, check by check, as verified in this browser. */
export default function LockPanel({ chat }: { chat: Chat }) {
  const { model, lock, credential } = chat;
  const isWaiting = lock.kind === 'unchecked' && isWithout(credential);
  if (model === null) return <p className="px-6 py-16 text-center text-sm text-dim">Choose a model to see what it proves.</p>;
  if (!model.can.attest) return <NoLock name={model.id} />;
  return (
    <div className="grid gap-5 p-3 lg:p-4">
      {isWaiting ? <NoCredential /> : (lock.kind === 'unchecked' || lock.kind === 'checking') && <LockSkeleton />}
      {lock.kind === 'unanswered' && (
        <>
          <Notice tone="warn" title="No attestation came, so nothing was verified and nothing is sent." />
          <GatewayProblem error={lock.error} onRetry={() => void chat.checkLock()} />
        </>
      )}
      {lock.kind === 'judged' && <Judged chat={chat} attestation={lock.attestation} keyBefore={lock.keyBefore} />}
      <CannotProve isEncryptable={model.can.encrypt} />
    </div>
  );
}

function Judged({ chat, attestation, keyBefore }: { chat: Chat; attestation: Attestation; keyBefore: string | null }) {
  const { verdict, model } = attestation;
  return (
    <>
      <VerdictBanner chat={chat} attestation={attestation} keyBefore={keyBefore} />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void chat.checkLock()}>
          <RefreshCw aria-hidden />
          Verify again
        </Button>
        <Button size="sm" onClick={() => saveFile(`attestation-${model}-${new Date(verdict.checkedAtMs).toISOString().replace(/[:.]/g, '-')}.json`, 'application/json', attestation.exportText())}>
          <Download aria-hidden />
          Export
        </Button>
      </div>
      <CheckGroups checks={verdict.checks} />
      <WorkloadPins model={model} verdict={verdict} onChanged={() => void chat.checkLock()} />
      <QuoteFields report={attestation.report} />
    </>
  );
}

/** An attestation is asked for like everything else: by somebody. */
function NoCredential() {
  return (
    <Notice tone="info" title="Nothing has been verified yet.">
      <p>An attestation is asked for with a credential, and there is none. Connect a wallet or add an API key at the top right: the enclave is then verified here at once. That costs nothing.</p>
    </Notice>
  );
}

/** As tall as the verdict that will come. */
function LockSkeleton() {
  return (
    <div role="status" aria-label="Verifying the attestation" className="grid gap-5">
      <Skeleton className="h-44" />
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-96" />
    </div>
  );
}

function NoLock({ name }: { name: string }) {
  return (
    <div className="grid gap-3 p-3 lg:p-4">
      <Notice tone="info" title={`${name} runs in no enclave, so there is nothing to verify.`}>
        <p>This gateway and whoever runs the model can read every word, and nothing proves what answered. Choose a model marked “encrypted” for what nobody else shall read.</p>
      </Notice>
    </div>
  );
}

function CannotProve({ isEncryptable }: { isEncryptable: boolean }) {
  return (
    <section aria-labelledby="cannot-prove" className="grid gap-2 border-t border-line pt-4 text-sm text-dim">
      <h3 id="cannot-prove" className="font-medium text-ink">
        What this page cannot prove
      </h3>
      <ul className="grid list-disc gap-1 pl-4">
        <li>That it is itself the page that was published: its code comes from the server that it watches. The same client runs without it, as a command.</li>
        <li>That a pinned workload does what it should. Pin only what you, or somebody you trust, have read.</li>
        <li>That the quote is about this model: the report says so, the quote names none.</li>
        {isEncryptable ? (
          <li>Nothing of when you write and how much: times, lengths, the model and a schema are not encrypted.</li>
        ) : (
          <li>That nobody reads along: this model is attested and signs, but messages are not encrypted to it. This gateway reads them.</li>
        )}
      </ul>
      <p>To check an export, offline, with Intel’s root as it comes with the command (a simulator’s root is taken from the export, and the verdict says so):</p>
      <CommandLine text="npm run verify-attestation -- export.json" label="Copy the command" />
    </section>
  );
}
