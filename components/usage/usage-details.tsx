'use client';

import { chargesQueryOf, usageHref, type UsageView } from '@/lib/browser/billing/usage-view';
import { usageWords as words } from '@/lib/browser/words/usage';
import { ChargeList } from './charge-list';
import { SumTable } from './sum-table';

/** What the charges went to, by whom they were made, and each of them. */
export function UsageDetails({ view, onChange }: { view: UsageView; onChange: (change: Partial<UsageView>) => void }) {
  const query = chargesQueryOf(view);
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
      <ChargeList
        query={query}
        onChooseRequest={(request) => window.history.pushState(null, '', usageHref({ request }))}
      />
    </div>
  );
}
