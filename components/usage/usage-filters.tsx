'use client';

import { Button } from '@/components/ui/button';
import { balancesQueryOf, PERIODS, type UsageView } from '@/lib/browser/billing/usage-view';
import { useChargeSums } from '@/lib/browser/billing/use-usage';
import { formatDay } from '@/lib/browser/moments';
import { usageWords } from '@/lib/browser/words/usage';
import { X } from 'lucide-react';

interface UsageFiltersProps {
  view: UsageView;
  onChange: (change: Partial<UsageView>) => void;
}

const words = usageWords.filters;

export function UsageFilters({ view, onChange }: UsageFiltersProps) {
  const { days, day, product, resource, key, status, request } = view;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label={words.period} className="flex flex-wrap gap-1">
        {PERIODS.map((each) => (
          <Button
            key={each}
            size="sm"
            tone="quiet"
            aria-pressed={days === each && day === ''}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => onChange({ days: each, day: '' })}
          >
            {words.days(each)}
          </Button>
        ))}
      </div>
      {day !== '' && <Chip label={formatDay(day)} onRemove={() => onChange({ day: '' })} />}
      {product !== '' && (
        <Chip label={usageWords.products[product] ?? product} onRemove={() => onChange({ product: '' })} />
      )}
      {resource !== '' && <Chip label={resource} onRemove={() => onChange({ resource: '' })} />}
      {key !== '' && <KeyChip view={view} onRemove={() => onChange({ key: '' })} />}
      {status !== '' && <Chip label={usageWords.statuses(status)} onRemove={() => onChange({ status: '' })} />}
      {request !== '' && (
        <Chip label={words.onlyRequest(request)} onRemove={() => onChange({ request: '', days: 30 })} />
      )}
    </div>
  );
}

/** Shows the API key that the view is filtered by: its name if the usage includes the key, otherwise its id. */
function KeyChip({ view, onRemove }: { view: UsageView; onRemove: () => void }) {
  const { data } = useChargeSums('key', balancesQueryOf(view));
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
