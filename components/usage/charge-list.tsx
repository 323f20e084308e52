'use client';

import { Badge } from '@/components/ui/badge';
import { formatCost } from '@/lib/browser/text/amounts';
import { keyNameText, usageWords } from './words';
import { useCharges } from './use-pages';
import { formatDateTime } from '@/lib/browser/text/moments';
import { chargesWords } from './charge-words';
import type { Charge, ChargeQuery, Currency } from '@/lib/client';
import { loadCode } from '@/lib/browser/page/load-code';
import { ExportButton, PagedList, RequestId } from './paged-list';

const words = chargesWords.charges;

interface ChargeListProps {
  query: ChargeQuery;
  isOfRequest?: boolean;
  isUnderChoice?: boolean;
  onChooseRequest: (request: string) => void;
}

export function ChargeList({ query, isOfRequest = false, isUnderChoice = false, onChooseRequest }: ChargeListProps) {
  return (
    <PagedList
      words={words}
      isUnderChoice={isUnderChoice}
      empty={isOfRequest ? words.notFound : words.empty}
      pages={useCharges(query)}
      action={
        !isOfRequest && (
          <ExportButton
            label={usageWords.export.charges}
            list="charges"
            query={query}
            of={async (presented) => (await loadCode(() => import('./export-list'))).exportCharges(presented, query)}
          />
        )
      }
      list={(charges) => (
        <ul className="divide-y divide-line border-y border-line">
          {charges.map((charge) => (
            <ChargeRow key={charge.requestId + charge.timestamp} charge={charge} onChooseRequest={onChooseRequest} />
          ))}
        </ul>
      )}
    />
  );
}

function ChargeRow({
  charge: { timestamp, resource, detail, units, amount, pots, apiKey, requestId },
  onChooseRequest,
}: {
  charge: Charge;
  onChooseRequest: (request: string) => void;
}) {
  return (
    <li className="grid gap-y-0.5 py-2 text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">
          {resource} <span className="figures text-xs text-dim">{detail}</span>
        </span>
        <span className="figures shrink-0">{formatCost(amount)}</span>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-dim">
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <time dateTime={timestamp}>{formatDateTime(Date.parse(timestamp))}</time>
          <span className="wrap-anywhere">{apiKey === null ? words.wallet : keyNameText(apiKey)}</span>
        </span>
        <RequestId requestId={requestId} onChoose={onChooseRequest} className="max-lg:order-last max-lg:w-full" />
        <span className="ml-auto flex items-center gap-1.5">
          <span className="figures">
            {words.units(units, words.unitOf[resource.split('/', 1)[0] ?? ''] ?? words.anyUnit)}
          </span>
          {Object.keys(pots).map((pot) => (
            <Badge key={pot}>{words.pots[pot as Currency]}</Badge>
          ))}
        </span>
      </div>
    </li>
  );
}
