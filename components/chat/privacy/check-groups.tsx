'use client';

import { cn } from '@/components/ui/class-names';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { Summary } from '@/components/ui/summary';
import type { EnclaveVerdict } from '@/lib/protocol/attestation/enclave';
import type { EnclaveCheck as Check } from '@/lib/protocol/attestation/enclave-checks';
import type { ServedVerdict } from '@/lib/protocol/attestation/served-report';
import type { CheckOutcome } from '@/lib/protocol/tee/check-list';
import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { groupedChecks, isFailure, type RootKind, rootKindOf, titleUnder } from './grouped-checks';
import { VERDICTS } from './verdicts';
import { chatHopWords, chatPrivacyWords as words } from './words';

/** Loaded on demand, because users open few checks. */
const CheckEvidence = onDemand(() => import('./check-evidence').then((module) => module.CheckEvidence), {
  waiting: <Skeleton className="h-16" />,
});

const OUTCOMES: Record<CheckOutcome, { Icon: LucideIcon; ink: string }> = {
  passed: { Icon: CircleCheck, ink: 'text-good' },
  failed: { Icon: CircleX, ink: 'text-bad' },
  'not-checkable': { Icon: CircleDashed, ink: 'text-dim' },
};

function CheckGroups({ checks }: { checks: readonly Check[] }) {
  const root = rootKindOf(checks);
  return (
    <div className="grid gap-4">
      {groupedChecks(checks).map(({ title, checks: members }) => (
        <section key={title} aria-label={titleUnder(root, title)} className="grid gap-1.5">
          <h3 className="flex items-baseline gap-2 text-sm font-medium">
            {titleUnder(root, title)}
            <span className="figures text-xs font-normal text-faint">
              {members.filter(({ outcome }) => outcome === 'passed').length}/{members.length}
            </span>
          </h3>
          <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
            {members.map((check) => (
              <CheckRow key={check.id} check={check} root={root} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function CheckRow({ check, root }: { check: Check; root: RootKind }) {
  const { id, title, outcome, reason } = check;
  const [wasOpened, setWasOpened] = useState(outcome === 'failed');
  const shown = outcome === 'failed' && !isFailure(check) ? 'not-checkable' : outcome;
  const { Icon, ink } = OUTCOMES[shown];
  return (
    <li data-check={id} data-outcome={outcome}>
      <details
        className="group"
        open={outcome === 'failed'}
        onToggle={(event) => event.currentTarget.open && setWasOpened(true)}
      >
        <Summary
          chevronAt="end"
          chevronClassName="text-faint"
          onPointerEnter={CheckEvidence.preload}
          onFocus={CheckEvidence.preload}
          className="min-h-9 px-2.5 py-1.5 text-sm hover:bg-hover pointer-coarse:min-h-11"
        >
          <Icon aria-hidden className={cn('size-4 shrink-0', ink)} />
          <span className="min-w-0 flex-1">{titleUnder(root, title)}</span>
          <span className={cn('shrink-0 text-xs', ink)}>
            {id === 'workload' && outcome === 'failed' ? words.checks.notPinned : words.checks[shown]}
          </span>
        </Summary>
        <div className="grid gap-2 border-t border-line bg-surface px-2.5 py-2.5 text-xs">
          {reason !== null && <p className={cn('text-sm font-medium', ink)}>{reason}</p>}
          {wasOpened && <CheckEvidence check={check} root={root} />}
        </div>
      </details>
    </li>
  );
}

/** Shows the checks of a report, grouped by enclave if there are several. Failed checks come first, expanded. */
export function EnclaveChecks({ verdict: { checks, enclaves } }: { verdict: ServedVerdict }) {
  if (enclaves.length < 2) return <CheckGroups checks={checks} />;
  return (
    <div className="grid gap-3">
      {enclaves.map((enclave, index) => (
        <OneEnclave key={`${enclave.role} ${enclave.name ?? index}`} enclave={enclave} />
      ))}
    </div>
  );
}

function OneEnclave({
  enclave: { role, name, verdict, reason, isUsed, unusable, checks },
}: {
  enclave: EnclaveVerdict;
}) {
  const { Icon, ink } = VERDICTS[verdict];
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  const use = unusable !== null ? chatHopWords.neverUsed : isUsed ? null : chatHopWords.notUsed;
  return (
    <details
      className="group rounded-md border border-line"
      open={isUsed && (verdict === 'failed' || verdict === 'not-checkable')}
      data-enclave={role}
      data-verdict={verdict}
    >
      <Summary className="min-h-9 px-2.5 py-1.5 text-sm hover:bg-hover pointer-coarse:min-h-11">
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">
          {chatHopWords.enclave(role, name)}
          {use !== null && <span className="font-normal text-faint"> · {use}</span>}
        </span>
        <span className="figures shrink-0 text-xs text-faint">{chatHopWords.passed(passed, checks.length)}</span>
        <span className={cn('flex shrink-0 items-center gap-1 text-xs', ink)}>
          <Icon aria-hidden className="size-3.5" />
          {words.verdicts[verdict].word}
        </span>
      </Summary>
      <div className="grid gap-3 border-t border-line p-2.5">
        {(unusable ?? reason) !== null && <p className="text-sm wrap-anywhere">{unusable ?? reason}</p>}
        <CheckGroups checks={checks} />
      </div>
    </details>
  );
}
