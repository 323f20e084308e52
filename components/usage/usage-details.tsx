'use client';

import { Button } from '@/components/ui/button';
import { chargesQueryOf, LISTS, requestsQueryOf, usageHref, type UsageView } from '@/lib/browser/billing/usage-view';
import { chargesWords } from '@/lib/browser/words/charges';
import { usageWords as words } from '@/lib/browser/words/usage';
import { ChargeList } from './charge-list';
import { RequestList } from './request-list';
import { SumTable } from './sum-table';

export function UsageDetails({ view, onChange }: { view: UsageView; onChange: (change: Partial<UsageView>) => void }) {
  const query = chargesQueryOf(view);
  const showRequest = (request: string) => window.history.pushState(null, '', usageHref({ request }));
  return (
    <div className="grid gap-8">
      <div className="grid gap-8 lg:grid-cols-2">
        <SumTable
          title={words.byResource}
          groupBy="resource"
          query={query}
          onChoose={(resource) => onChange({ resource })}
          chosen={view.resource}
        />
        <SumTable
          title={words.byKey}
          groupBy="key"
          query={query}
          onChoose={(key) => onChange({ key })}
          chosen={view.key}
        />
      </div>
      <div className="grid gap-3">
        <div role="group" aria-label={chargesWords.lists.label} className="flex flex-wrap gap-1">
          {LISTS.map((list) => (
            <Button
              key={list}
              size="sm"
              tone="quiet"
              aria-pressed={view.list === list}
              className="aria-pressed:bg-hover aria-pressed:text-ink"
              onClick={() => onChange({ list })}
            >
              {chargesWords.lists.names[list]}
            </Button>
          ))}
        </div>
        {view.list === 'charges' ? (
          <ChargeList query={query} onChooseRequest={showRequest} />
        ) : (
          <RequestList query={requestsQueryOf(view)} onChooseRequest={showRequest} />
        )}
      </div>
    </div>
  );
}
