'use client';

import { PrivacyBadge } from '@/components/chat/privacy-badge';
import { ModelMark } from '@/components/marks/mark';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { CELL, CellName, ColumnHeads, FIGURES_CELL } from '@/components/ui/table-cells';
import { formatCount, formatDuration, formatUsdNumber } from '@/lib/browser/text/amounts';
import { MODEL_HREFS, useChooseModel } from '@/components/reference/choose-model';
import { type OfferedModel, useOfferedModels } from '@/lib/browser/reads/offered-models';
import { overviewLowerWords } from './lower-half-words';
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
      {models !== null && models.length > 0 && (
        <table className="w-full border-y border-line text-sm max-sm:block">
          <ColumnHeads
            names={[
              { name: columns.model },
              { name: columns.kind },
              { name: columns.privacy },
              { name: columns.context, isFigure: true },
              { name: columns.price, isFigure: true },
              { name: columns.latency, isFigure: true },
              { name: columns.action },
            ]}
          />
          <tbody className="divide-y divide-line max-sm:block">
            {models.map((model) => (
              <ModelRow key={`${model.kind} ${model.id}`} model={model} />
            ))}
          </tbody>
        </table>
      )}
      {error !== null && models !== null && <p className="text-xs text-faint">{words.failedLast(error.message)}</p>}
    </Section>
  );
}

function ModelRow({ model }: { model: OfferedModel }) {
  const { kind, id, name, isOffline, can, contextTokens, firstTokenMs, prices } = model;
  const choose = useChooseModel();
  return (
    <tr className="max-sm:block max-sm:py-2">
      <th scope="row" className={`${CELL} text-left font-medium`}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <ModelMark model={id} className="text-dim" />
          <span className="wrap-anywhere" title={name === id ? undefined : id}>
            {name}
          </span>
          {isOffline && <Badge tone="bad">{words.isOffline}</Badge>}
        </span>
      </th>
      <td className={`${CELL} text-dim`}>
        <CellName>{columns.kind}</CellName>
        {words.kinds[kind]}
      </td>
      <td className={CELL}>
        <CellName>{columns.privacy}</CellName>
        <PrivacyBadge can={can} />
      </td>
      <td className={`${FIGURES_CELL} ${contextTokens === null ? 'max-sm:hidden' : ''}`}>
        <CellName>{columns.context}</CellName>
        {contextTokens === null ? words.none : formatCount(contextTokens)}
      </td>
      <td className={`${FIGURES_CELL} max-lg:whitespace-normal`}>
        <CellName>{columns.price}</CellName>
        <span>{prices.map(({ usd, unit }) => `${formatUsdNumber(usd)} ${unit}`).join(' · ')}</span>
      </td>
      <td className={`${FIGURES_CELL} ${firstTokenMs === null ? 'max-sm:hidden' : ''}`}>
        <CellName>{columns.latency}</CellName>
        {firstTokenMs === null ? words.none : formatDuration(firstTokenMs)}
      </td>
      <td className={`${CELL} sm:text-right`}>
        <span />
        <Button asChild size="sm">
          <PageLink href={MODEL_HREFS[kind]} aria-label={words.tryModel(name)} onClick={() => choose(model)}>
            {words.try}
          </PageLink>
        </Button>
      </td>
    </tr>
  );
}
