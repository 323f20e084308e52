'use client';

import { useBrand } from '@/lib/browser/brand';
import { Button } from '@/components/ui/button';
import { chargesQueryOf, PERIODS, type UsageView } from '@/lib/browser/billing/usage-view';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { useCredential } from '@/lib/browser/credential';
import { loadCode } from '@/lib/browser/load-code';
import { useAction } from '@/lib/browser/reads/use-action';
import { saveFile } from '@/lib/browser/save-file';
import { usageWords } from '@/lib/browser/words/usage';
import { Download, X } from 'lucide-react';

interface UsageFiltersProps {
  view: UsageView;
  onChange: (change: Partial<UsageView>) => void;
}

const words = usageWords.filters;

export function UsageFilters({ view, onChange }: UsageFiltersProps) {
  const { days, resource, key, request } = view;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label={words.period} className="flex flex-wrap gap-1">
        {PERIODS.map((each) => (
          <Button
            key={each}
            size="sm"
            tone="quiet"
            aria-pressed={days === each}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => onChange({ days: each })}
          >
            {words.days(each)}
          </Button>
        ))}
      </div>
      {resource !== '' && <Chip label={resource} onRemove={() => onChange({ resource: '' })} />}
      {key !== '' && <KeyChip view={view} onRemove={() => onChange({ key: '' })} />}
      {request !== '' && (
        <Chip label={words.onlyRequest(request)} onRemove={() => onChange({ request: '', days: 30 })} />
      )}
      <span className="flex-1" />
      {request === '' && <Export view={view} />}
    </div>
  );
}

function Export({ view }: { view: UsageView }) {
  const { presented } = useCredential();
  const { slug } = useBrand();
  const query = chargesQueryOf(view);
  const { run, isPending, error, data } = useAction(async () => {
    const { exportCharges } = await loadCode(() => import('@/lib/browser/billing/export-charges'));
    const { csv, isWhole } = await exportCharges(presented, query);
    saveFile(`${slug}-charges-${query.startDate ?? 'all'}.csv`, 'text/csv', csv);
    return isWhole;
  });
  return (
    <>
      <Button size="sm" disabled={isPending} onClick={() => void run()}>
        <Download aria-hidden />
        {isPending ? usageWords.export.isCollecting : usageWords.export.charges}
      </Button>
      {error !== null && (
        <span role="alert" className="text-xs text-bad">
          {usageWords.export.failed(error.message)}
        </span>
      )}
      {data === false && (
        <span role="status" className="text-xs text-dim">
          {usageWords.export.isCut}
        </span>
      )}
    </>
  );
}

/** Shows the API key that the view is filtered by: its name if the usage includes the key, otherwise its id. */
function KeyChip({ view, onRemove }: { view: UsageView; onRemove: () => void }) {
  const { data } = useChargeSums('key', chargesQueryOf({ ...view, request: '' }));
  const sum = data?.data.find(({ group }) => group === view.key);
  return <Chip label={words.key(sum?.apiKey, view.key)} onRemove={onRemove} />;
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Button
      size="sm"
      className="border-amber-line bg-amber-soft text-amber-ink"
      aria-label={words.remove(label)}
      onClick={onRemove}
    >
      <span className="figures max-w-48 truncate">{label}</span>
      <X aria-hidden />
    </Button>
  );
}
