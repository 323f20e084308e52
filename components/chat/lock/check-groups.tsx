'use client';

import { cn } from '@/components/ui/class-names';
import type { Check, CheckId, CheckOutcome } from '@/lib/protocol/tee/check-list';
import { ChevronRight, CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import { CheckEvidence } from './check-evidence';

/** The checks as questions that a person would ask, in the order in which trust is built. */
const GROUPS: readonly { title: string; ids: readonly CheckId[] }[] = [
  { title: 'Is it genuine hardware?', ids: ['quote-format', 'certificate-chain', 'certificate-validity', 'revocation', 'quoting-enclave', 'quote-signature'] },
  { title: 'Is it up to date and closed to its host?', ids: ['tcb-info', 'qe-identity', 'tcb-status', 'tdx-module', 'debug-off'] },
  { title: 'Does it answer me, with this key?', ids: ['nonce', 'model', 'signing-key'] },
  { title: 'What runs in it?', ids: ['event-log', 'compose-file', 'workload', 'gpu'] },
];

const OUTCOMES: Record<CheckOutcome, { word: string; Icon: LucideIcon; ink: string }> = {
  passed: { word: 'passed', Icon: CircleCheck, ink: 'text-good' },
  failed: { word: 'failed', Icon: CircleX, ink: 'text-bad' },
  'not-checkable': { word: 'not checked', Icon: CircleDashed, ink: 'text-dim' },
};

/** Every check with its outcome; each opens to what was looked at. One that failed is open from the start. */
export function CheckGroups({ checks }: { checks: readonly Check[] }) {
  const listed = new Set(GROUPS.flatMap(({ ids }) => ids));
  const groups = [...GROUPS, { title: 'More', ids: checks.map(({ id }) => id).filter((id) => !listed.has(id)) }];
  return (
    <div className="grid gap-4">
      {groups.map(({ title, ids }) => {
        const members = ids.flatMap((id) => checks.find((check) => check.id === id) ?? []);
        if (members.length === 0) return null;
        return (
          <section key={title} aria-label={title} className="grid gap-1.5">
            <h3 className="flex items-baseline gap-2 text-sm font-medium">
              {title}
              <span className="figures text-xs font-normal text-faint">
                {members.filter(({ outcome }) => outcome === 'passed').length}/{members.length}
              </span>
            </h3>
            <ul className="divide-y divide-line overflow-hidden rounded-md border border-line">
              {members.map((check) => (
                <CheckRow key={check.id} check={check} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function CheckRow({ check }: { check: Check }) {
  const { id, title, outcome, reason } = check;
  // A workload that nobody pinned is a verdict of its own, and no failure of the enclave's.
  const { word, Icon, ink } = OUTCOMES[id === 'workload' && outcome === 'failed' ? 'not-checkable' : outcome];
  return (
    <li data-check={id} data-outcome={outcome}>
      <details className="group" open={outcome === 'failed'}>
        <summary className="flex min-h-9 items-center gap-2 px-2.5 py-1.5 text-sm hover:bg-hover pointer-coarse:min-h-11">
          <Icon aria-hidden className={cn('size-4 shrink-0', ink)} />
          <span className="min-w-0 flex-1">{title}</span>
          <span className={cn('shrink-0 text-xs', ink)}>{id === 'workload' && outcome === 'failed' ? 'not pinned' : word}</span>
          <ChevronRight aria-hidden className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90" />
        </summary>
        <div className="grid gap-2 border-t border-line bg-surface px-2.5 py-2.5 text-xs">
          {reason !== null && <p className={cn('text-sm font-medium', ink)}>{reason}</p>}
          <CheckEvidence check={check} />
        </div>
      </details>
    </li>
  );
}
