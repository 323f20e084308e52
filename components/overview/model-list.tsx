'use client';

import { PrivacyBadge } from '@/components/chat/privacy-badge';
import { ModelMark } from '@/components/marks/mark';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { ColumnHeads } from '@/components/ui/table-cells';
import { formatCount, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import { MODEL_HREFS, useChooseModel } from '@/components/reference/choose-model';
import { type OfferedModel, useOfferedModels } from '@/lib/browser/reads/offered-models';
import { overviewLowerWords } from './lower-half-words';
import { useState } from 'react';
import { Section } from './section';

const words = overviewLowerWords.models;
const { columns } = words;

export function ModelList() {
  const { models, error, refetch } = useOfferedModels();
  if (models?.length === 0) return null;
  return (
    <Section title={words.title} anchor="models">
      {error !== null && models === null && (
        <Notice
          tone="warn"
          title={words.notListed}
          actions={
            <Button size="sm" onClick={refetch}>
              {words.tryAgain}
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      {error === null && models === null && <Skeleton className="h-40" />}
      {models !== null && models.length > 0 && <ModelTable models={models} />}
      {error !== null && models !== null && <p className="text-xs text-faint">{words.failedLast(error.message)}</p>}
    </Section>
  );
}

/** Shows one kind of model at a time, because each kind has its own columns and prices. */
function ModelTable({ models }: { models: readonly OfferedModel[] }) {
  const kinds = [...new Set(models.map(({ kind }) => kind))];
  const [chosen, setChosen] = useState(kinds[0]);
  const kind = kinds.find((each) => each === chosen) ?? kinds[0];
  const shown = models.filter((model) => model.kind === kind);
  const hasContext = shown.some(({ contextTokens }) => contextTokens !== null);
  const hasLatency = shown.some(({ firstTokenMs }) => firstTokenMs !== null);
  return (
    <>
      {kinds.length > 1 && (
        <Choices
          label={columns.kind}
          values={kinds}
          chosen={kind ?? null}
          nameOf={(each) => (
            <>
              {words.kinds[each]}{' '}
              <span className="figures text-xs text-faint">{models.filter((model) => model.kind === each).length}</span>
            </>
          )}
          onChoose={setChosen}
        />
      )}
      <table className="w-full border-y border-line text-sm max-sm:block">
        <ColumnHeads
          names={[
            { name: columns.model },
            { name: columns.privacy },
            ...(hasContext ? [{ name: columns.context, isFigure: true }] : []),
            { name: `${columns.price} ${shown[0]?.unit ?? ''}`, isFigure: true },
            ...(hasLatency ? [{ name: columns.latency, isFigure: true }] : []),
            { name: columns.action, className: 'sm:text-right' },
          ]}
        />
        <tbody className="divide-y divide-line max-sm:block">
          {shown.map((model) => (
            <ModelRow key={model.id} model={model} hasContext={hasContext} hasLatency={hasLatency} />
          ))}
        </tbody>
      </table>
    </>
  );
}

const CELL = 'py-1.5 pr-4 align-middle last:pr-0 max-sm:py-0.5 max-sm:pr-0';
const FIGURES_CELL = `${CELL} figures whitespace-nowrap sm:text-right`;

function ModelRow({
  model,
  hasContext,
  hasLatency,
}: {
  model: OfferedModel;
  hasContext: boolean;
  hasLatency: boolean;
}) {
  const { kind, id, name, isOffline, can, contextTokens, firstTokenMs, prices, unit } = model;
  const choose = useChooseModel();
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:items-center max-sm:gap-x-3 max-sm:py-2">
      <th scope="row" className={`${CELL} text-left font-medium max-sm:col-span-2`}>
        <span className="flex min-w-0 items-center gap-x-2">
          <ModelMark model={id} className="shrink-0 text-dim" />
          <span className="min-w-0 wrap-anywhere" title={name === id ? undefined : id}>
            {name}
          </span>
          {isOffline && <Badge tone="bad">{words.isOffline}</Badge>}
        </span>
      </th>
      <td className={CELL}>
        <PrivacyBadge can={can} />
      </td>
      {hasContext && (
        <td className={`${FIGURES_CELL} max-sm:hidden`}>
          {contextTokens === null ? words.none : formatCount(contextTokens)}
        </td>
      )}
      <td className={`${FIGURES_CELL} max-sm:col-start-1 max-sm:row-start-3 max-sm:text-xs`}>
        {prices.map(({ usd, of }, index) => (
          <span key={of ?? ''} className="lg:inline-block lg:min-w-28">
            {index > 0 && <span className="lg:sr-only"> · </span>}
            {formatUsdNumber(usd)}
            {of !== undefined && ` ${of}`}
          </span>
        ))}
        <span className="sm:sr-only"> {unit}</span>
      </td>
      {hasLatency && (
        <td className={`${FIGURES_CELL} max-sm:hidden`}>
          {firstTokenMs === null ? words.none : formatDuration(firstTokenMs)}
        </td>
      )}
      <td className={`${CELL} sm:text-right max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-2`}>
        <Button asChild size="sm">
          <PageLink href={MODEL_HREFS[kind]} aria-label={words.tryModel(name)} onClick={() => choose(model)}>
            {words.try}
          </PageLink>
        </Button>
      </td>
    </tr>
  );
}
