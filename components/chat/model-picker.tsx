'use client';

import { Badge } from '@/components/ui/badge';
import { Combobox, type ComboboxGroup } from '@/components/ui/combobox';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import type { Chat } from '@/lib/browser/chat/use-chat';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import { Braces, Lock, ShieldHalf, Waypoints, Wrench } from 'lucide-react';
import { useMemo } from 'react';

/** Chooses among the chat models of this gateway, the most private first. */
export function ModelPicker({ chat: { models, model, settings, change }, className }: { chat: Chat; className?: string }) {
  const groups = useMemo(() => groupsOf(models ?? []), [models]);
  const name = model?.id ?? settings.modelId;
  return (
    <Combobox
      label="Model"
      value={name}
      onChoose={(modelId) => change({ modelId })}
      groups={groups}
      searchPlaceholder="Search models…"
      emptyText="No chat model of that name is offered."
      contentClassName="min-w-[min(30rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {models === null ? <Skeleton className="h-3 w-28" /> : <span className="truncate font-medium">{name ?? 'No model'}</span>}
      {model !== null && (
        <span className="ml-auto">
          <PrivacyBadge model={model} isTerse />
        </span>
      )}
    </Combobox>
  );
}

/** Who can read what is written to a model. Terse: on a phone an icon alone, which leaves the room to the name. */
export function PrivacyBadge({ model: { can }, isTerse = false }: { model: ChatModelInfo; isTerse?: boolean }) {
  const word = isTerse ? 'max-sm:sr-only' : undefined;
  if (can.encrypt) {
    return (
      <Badge tone="violet" title="Encrypted in this browser, to an enclave">
        <Lock aria-hidden />
        <span className={word}>encrypted</span>
      </Badge>
    );
  }
  const Icon = can.attest ? ShieldHalf : Waypoints;
  return (
    <Badge title={can.attest ? 'In an enclave; this gateway reads along' : 'In no enclave; this gateway reads along'}>
      <Icon aria-hidden />
      <span className={word}>{can.attest ? 'attested' : 'relayed'}</span>
    </Badge>
  );
}

function groupsOf(models: readonly ChatModelInfo[]): ComboboxGroup[] {
  const groups = [
    { heading: 'Encrypted to an enclave: nobody in between reads it', members: models.filter(({ can }) => can.encrypt) },
    { heading: 'In an enclave: this gateway reads it', members: models.filter(({ can }) => can.attest && !can.encrypt) },
    { heading: 'Relayed: this gateway and the model’s server read it', members: models.filter(({ can }) => !can.attest) },
  ];
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ heading, members }) => ({ heading, options: members.map((model) => ({ value: model.id, keywords: [model.name], content: <ModelRow model={model} /> })) }));
}

function ModelRow({ model }: { model: ChatModelInfo }) {
  const { id, can, contextTokens, price, isOffline } = model;
  return (
    <span className="grid min-w-0 flex-1 gap-1 py-0.5">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-28 flex-1 font-medium wrap-anywhere">{id}</span>
        {isOffline && <Badge tone="bad">offline</Badge>}
        {can.followSchema && (
          <Badge title="Answers can be held to a JSON schema">
            <Braces aria-hidden />
            schema
          </Badge>
        )}
        {can.callTools && (
          <Badge className="max-sm:hidden" title="Can call functions, over the API">
            <Wrench aria-hidden />
            tools
          </Badge>
        )}
        <PrivacyBadge model={model} />
      </span>
      <span className="figures text-xs text-dim wrap-anywhere">
        {contextTokens === null ? '' : `${contextTokens.toLocaleString('en-US')} tokens of context`}
        {price !== null && ` · ${formatUsdNumber(price.inputNanoUsdPerMillion / 1e9)} in, ${formatUsdNumber(price.outputNanoUsdPerMillion / 1e9)} out per million`}
      </span>
    </span>
  );
}
