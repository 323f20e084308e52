'use client';

import { Button } from '@/components/ui/button';
import { exportCharges } from '@/lib/browser/billing/charges-csv';
import { useCredential } from '@/lib/browser/credential';
import { saveFile } from '@/lib/browser/save-file';
import type { ChargeQuery } from '@/lib/client';
import { useMutation } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';

interface UsageFiltersProps {
  days: number;
  onDays: (days: number) => void;
  resource: string;
  onResource: (resource: string) => void;
  /** Of the key that the page is narrowed to; empty for none. */
  keyName: string;
  onAnyKey: () => void;
  query: ChargeQuery;
}

const PERIODS = [1, 7, 30, 90, 365] as const;

/** The period, what it is narrowed to, and the export of all of it. */
export function UsageFilters({ days, onDays, resource, onResource, keyName, onAnyKey, query }: UsageFiltersProps) {
  const { presented } = useCredential();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async () => {
      const { csv, isWhole } = await exportCharges(presented, query);
      saveFile(`turnpike-usage-${query.startDate ?? 'all'}.csv`, 'text/csv', csv);
      return isWhole;
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="Period" className="flex gap-1">
        {PERIODS.map((each) => (
          <Button key={each} size="sm" tone="quiet" aria-pressed={days === each} className="aria-pressed:bg-hover aria-pressed:text-ink" onClick={() => onDays(each)}>
            {each === 1 ? 'Today' : `${each} days`}
          </Button>
        ))}
      </div>
      {resource !== '' && <Chip label={resource} onRemove={() => onResource('')} />}
      {keyName !== '' && <Chip label={keyName} onRemove={onAnyKey} />}
      <span className="flex-1" />
      <Button size="sm" disabled={isPending} onClick={() => mutate()}>
        <Download aria-hidden />
        {isPending ? 'Collecting…' : 'Export CSV'}
      </Button>
      {error !== null && <span role="alert" className="text-xs text-bad">{error.message}</span>}
      {data === false && <span role="status" className="text-xs text-dim">The file has the newest 50,000 charges; narrow the period for older ones.</span>}
    </div>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button size="sm" className="border-amber-line bg-amber-soft text-amber-ink" aria-label={`No longer only ${label}`} onClick={onRemove}>
      <span className="figures max-w-48 truncate">{label}</span>
      <X aria-hidden />
    </Button>
  );
}
