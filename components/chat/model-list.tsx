'use client';

import { Badge } from '@/components/ui/badge';
import type { ComboboxGroup } from '@/components/ui/options';
import { OptionList } from '@/components/ui/option-list';
import { formatUsdNumber } from '@/lib/browser/text/amounts';
import { chatModelWords as words } from '@/lib/browser/reads/chat-model-words';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import { Braces, ImageIcon, Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { PrivacyBadge } from './privacy-badge';

interface ModelListProps {
  label: string;
  models: readonly ChatModelInfo[];
  name: string | null;
  choose: (modelId: string) => void;
}

/** Lists the most private models first. */
export function ModelList({ label, models, name, choose }: ModelListProps) {
  const groups = useMemo(() => groupsOf(models), [models]);
  return (
    <OptionList
      label={label}
      value={name}
      groups={groups}
      searchPlaceholder={words.search}
      emptyText={words.notFound}
      choose={choose}
    />
  );
}

function groupsOf(models: readonly ChatModelInfo[]): ComboboxGroup[] {
  const groups = [
    { heading: words.encryptedGroup, members: models.filter(({ can }) => can.encrypt) },
    { heading: words.attestedGroup, members: models.filter(({ can }) => can.attest && !can.encrypt) },
    { heading: words.relayedGroup, members: models.filter(({ can }) => !can.attest) },
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
        {isOffline && <Badge tone="bad">{words.offline}</Badge>}
        {can.see && (
          <Badge title={words.picturesTitle}>
            <ImageIcon aria-hidden />
            <span className="max-sm:sr-only">{words.pictures}</span>
          </Badge>
        )}
        {can.followSchema && (
          <Badge title={words.schemaTitle}>
            <Braces aria-hidden />
            <span className="max-sm:sr-only">{words.schema}</span>
          </Badge>
        )}
        {can.callTools && (
          <Badge title={words.toolsTitle}>
            <Wrench aria-hidden />
            <span className="max-sm:sr-only">{words.tools}</span>
          </Badge>
        )}
        <PrivacyBadge isTerse can={can} />
      </span>
      <span className="figures text-xs text-dim wrap-anywhere">
        {contextTokens === null ? '' : words.context(contextTokens)}
        {price !== null &&
          ` · ${words.price(perMillion(price.inputNanoUsdPerMillion), perMillion(price.outputNanoUsdPerMillion), price.cachedInputNanoUsdPerMillion === undefined ? null : perMillion(price.cachedInputNanoUsdPerMillion))}`}
      </span>
    </span>
  );
}

function perMillion(nanoUsd: number): string {
  return formatUsdNumber(nanoUsd / 1e9);
}
