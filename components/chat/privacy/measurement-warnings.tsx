'use client';

import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { formatDateTime } from '@/lib/browser/text/moments';
import type { MeasurementWarning } from '@/lib/client/kept-measurements';
import type { Attestation } from '@/lib/client/private-chat';
import type { LogHead } from '@/lib/protocol/attestation/measurement-log';
import { useMeasurementWarnings } from '../measured-since';
import { ReportChanges } from './report-changes';
import { chatPrivacyWords } from './words';

const words = chatPrivacyWords.measured;

/** Warns of a faulty measurement log and of changes since earlier visits. The user can accept changes. */
export function MeasurementWarnings({ attestation }: { attestation: Attestation }) {
  const { warnings, accept, trustLog } = useMeasurementWarnings(attestation);
  if (warnings.length === 0) return null;
  return (
    <div data-testid="measurement-warnings" className="grid max-h-[50dvh] gap-2 overflow-auto border-b border-line p-3">
      {warnings.map((warning) => {
        if (warning.kind === 'fork') return <TwoHistories key="fork" warning={warning} onTrust={trustLog} />;
        if (warning.kind === 'broken') return <Notice key="broken" tone="warn" title={words.broken(warning.reason)} />;
        if (warning.kind === 'unread') return <Notice key="unread" tone="warn" title={words.unread} />;
        const { changes, atMs } = warning;
        const title = words.changedSince(attestation.model, formatDateTime(atMs));
        return <ReportChanges key="changed" title={title} changes={changes} onSeen={accept} />;
      })}
    </div>
  );
}

function TwoHistories({
  warning: { reason, atMs, kept, shown },
  onTrust,
}: {
  warning: Extract<MeasurementWarning, { kind: 'fork' }>;
  onTrust: () => void;
}) {
  return (
    <Notice
      tone="bad"
      title={words.fork.title}
      actions={
        <Button size="sm" onClick={onTrust}>
          {words.fork.trust}
        </Button>
      }
    >
      <p>{words.fork.meaning(reason)}</p>
      <dl className="grid gap-1 text-xs">
        <dt className="font-medium text-ink">{words.fork.kept(formatDateTime(atMs))}</dt>
        <dd className="figures">{headText(kept)}</dd>
        <dt className="font-medium text-ink">{words.fork.shown}</dt>
        <dd className="figures">{shown === null ? words.fork.none : headText(shown)}</dd>
      </dl>
    </Notice>
  );
}

function headText({ seq, sha256, key }: LogHead): string {
  return words.fork.head(seq, sha256, key);
}
