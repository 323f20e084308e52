'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { chatHopWords } from './words';
import { checkWords } from './check-words';
import type { ReportChange } from '@/lib/protocol/attestation/report-changes';

const { changes: words } = chatHopWords;
const SHOWN_MAX = 12;

/** Lists changes since an earlier verification until the user acknowledges them. */
export function ReportChanges({
  title,
  changes,
  onSeen,
}: {
  title: string;
  changes: readonly ReportChange[];
  onSeen: () => void;
}) {
  return (
    <Notice
      tone="warn"
      title={title}
      actions={
        <Button size="sm" onClick={onSeen}>
          {words.seen}
        </Button>
      }
    >
      <p>{words.meaning}</p>
      <ul aria-label={words.list} className="grid gap-2">
        {changes.slice(0, SHOWN_MAX).map((change) => (
          <li
            key={`${change.role} ${change.what} ${change.name}`}
            data-change={change.name}
            className="grid gap-0.5 text-ink"
          >
            <span className="font-medium">{sentenceOf(change)}</span>
            <Value label={words.before} value={change.before} />
            <Value label={words.now} value={change.now} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function sentenceOf({ role, what, name }: ReportChange): string {
  const enclave = chatHopWords.enclave(role, null);
  if (what === 'measurement') return words.measurement(enclave, checkWords.evidence[name] ?? name);
  if (what === 'key') return words.key(enclave, name);
  return what === 'hardware' ? words.hardware(enclave) : words.enclave;
}

function Value({ label, value }: { label: string; value: string | null }) {
  return (
    <span className="flex min-w-0 gap-2 text-xs">
      <span className="w-12 shrink-0 text-dim">{label}</span>
      <span className="figures min-w-0 truncate" title={value ?? undefined}>
        {value ?? words.nothing}
      </span>
    </span>
  );
}
