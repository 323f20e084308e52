'use client';

import { Skeleton } from '@/components/ui/skeleton';
import { useMeasuredSince } from '../measured-since';
import { formatDateTime } from '@/lib/browser/text/moments';
import { checkWords } from './check-words';
import { chatPrivacyWords } from './words';
import type { Attestation } from '@/lib/client/private-chat';
import { CalendarCheck, TriangleAlert } from 'lucide-react';

const words = chatPrivacyWords.measured;

/** Shows how long the gateway's signed log has contained the measurement, and warns if the measurement changed. */
export function MeasuredSinceLine({ attestation }: { attestation: Attestation }) {
  const note = useMeasuredSince(attestation);
  if (note === undefined) return <Skeleton className="h-6" />;
  if (note === null) return null;
  const isWarning = note.kind === 'broken' || (note.kind === 'since' && note.before !== null);
  const Icon = isWarning ? TriangleAlert : CalendarCheck;
  return (
    <p data-testid="measured-since" data-note={note.kind} className="flex min-h-6 gap-2 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isWarning ? 'text-amber-ink' : 'text-dim'}`} />
      <span className="min-w-0">
        {note.kind === 'unlisted' && words.unlisted}
        {note.kind === 'broken' && words.broken(note.reason)}
        {note.kind === 'since' && words.since(formatDateTime(note.sinceMs))}{' '}
        {note.kind === 'since' && note.before !== null && (
          <span className="text-amber-ink">
            {words.changed(
              note.before.changed.map((name) => checkWords.evidence[name] ?? name),
              formatDateTime(note.before.sinceMs),
            )}
          </span>
        )}
      </span>
    </p>
  );
}
