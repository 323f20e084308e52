'use client';

import { Badge } from '@/components/ui/badge';
import { Combobox } from '@/components/ui/combobox';
import type { ComboboxGroup } from '@/components/ui/combobox-options';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { chatWords as words } from '@/lib/browser/words/chat';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import { Braces, Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { PrivacyBadge } from './privacy-badge';

/** Lists this gateway's chat models, the most private first. */
export function ModelPicker({
  label = words.model.label,
  models,
  model,
  name,
  onChoose,
  className,
}: {
  label?: string;
  models: readonly ChatModelInfo[] | null;
  /** Chosen model; null if it is not listed. */
  model: ChatModelInfo | null;
  /** Id of the chosen model. */
  name: string | null;
  onChoose: (modelId: string) => void;
  className?: string;
}) {
  const groups = useMemo(() => groupsOf(models ?? []), [models]);
  return (
    <Combobox
      label={label}
      value={name}
      onChoose={onChoose}
      groups={groups}
      searchPlaceholder={words.model.search}
      emptyText={words.model.notFound}
      contentClassName="min-w-[min(30rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {models === null ? (
        <Skeleton className="my-1.25 h-3 w-28" />
      ) : (
        <span className="truncate font-medium">{name ?? words.model.none}</span>
      )}
      {model !== null && (
        <span className="ml-auto">
          <PrivacyBadge can={model.can} isTerse />
        </span>
      )}
    </Combobox>
  );
}

function groupsOf(models: readonly ChatModelInfo[]): ComboboxGroup[] {
  const groups = [
    { heading: words.model.encryptedGroup, members: models.filter(({ can }) => can.encrypt) },
    { heading: words.model.attestedGroup, members: models.filter(({ can }) => can.attest && !can.encrypt) },
    { heading: words.model.relayedGroup, members: models.filter(({ can }) => !can.attest) },
  ];
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ heading, members }) => ({
      heading,
      options: members.map((model) => ({
        value: model.id,
        keywords: [model.name],
        content: <ModelRow model={model} />,
      })),
    }));
}

function ModelRow({ model }: { model: ChatModelInfo }) {
  const { id, can, contextTokens, price, isOffline } = model;
  return (
    <span className="grid min-w-0 flex-1 gap-1 py-0.5">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-28 flex-1 font-medium wrap-anywhere">{id}</span>
        {isOffline && <Badge tone="bad">{words.model.offline}</Badge>}
        {can.followSchema && (
          <Badge title={words.model.schemaTitle}>
            <Braces aria-hidden />
            {words.model.schema}
          </Badge>
        )}
        {can.callTools && (
          <Badge className="max-sm:hidden" title={words.model.toolsTitle}>
            <Wrench aria-hidden />
            {words.model.tools}
          </Badge>
        )}
        <PrivacyBadge can={can} />
      </span>
      <span className="figures text-xs text-dim wrap-anywhere">
        {contextTokens === null ? '' : words.model.context(contextTokens)}
        {price !== null &&
          ` · ${words.model.price(perMillion(price.inputNanoUsdPerMillion), perMillion(price.outputNanoUsdPerMillion), price.cachedInputNanoUsdPerMillion === undefined ? null : perMillion(price.cachedInputNanoUsdPerMillion))}`}
      </span>
    </span>
  );
}

function perMillion(nanoUsd: number): string {
  return formatUsdNumber(nanoUsd / 1e9);
}
