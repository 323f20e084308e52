'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Combobox } from '@/components/ui/combobox';
import { Kbd } from '@/components/ui/kbd';
import { onSingleClick } from '@/components/ui/single-click';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatUsdNumber } from '@/lib/browser/text/amounts';
import { editSpeechDraft } from './speech-draft';
import { speechWords } from './words';
import type { SpeechModel } from '@/lib/client';
import { AudioLines, Square } from 'lucide-react';
import type { SpeechDesk } from './use-speech-desk';

const { bar: words } = speechWords;

interface BarProps {
  desk: SpeechDesk;
  isLoading: boolean;
}

export function SpeakBar({ desk, isLoading }: BarProps) {
  const { models, settled } = desk;
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-2 lg:px-4">
      {isLoading ? (
        <Skeleton className="h-8 w-full md:w-72 pointer-coarse:h-10" />
      ) : (
        <Combobox
          label={words.model}
          value={settled?.model.id ?? null}
          shown={settled ? `${settled.model.name} ${settled.model.id}` : undefined}
          onChoose={(model) => editSpeechDraft({ model, voice: '', otherVoice: '' })}
          disabled={models.length === 0}
          searchPlaceholder={words.searchModels}
          emptyText={words.noSuchModel}
          className="w-full md:w-72"
          groups={[
            {
              heading: words.models,
              options: models.map((model) => ({
                value: model.id,
                keywords: [model.name],
                content: <ModelOption model={model} />,
              })),
            },
          ]}
        >
          <span className="truncate">{settled?.model.name ?? words.noModel}</span>{' '}
          <span className="figures hidden truncate text-xs text-faint sm:inline">{settled?.model.id}</span>
        </Combobox>
      )}
      {settled?.model.isStandIn && (
        <Badge tone="amber" className="hidden sm:inline-flex" title={words.standInHelp(settled.model.engine)}>
          {words.standIn}
        </Badge>
      )}
      <div className="hidden min-w-0 flex-1 items-center justify-end gap-3 md:flex">
        <Price desk={desk} />
        <SpeakButton desk={desk} />
      </div>
    </div>
  );
}

export function PhoneSpeakBar({ desk }: BarProps) {
  return (
    <div className="sticky bottom-0 z-20 flex shrink-0 items-center justify-between gap-3 border-t border-line bg-ground px-3 py-2 md:hidden">
      <Price desk={desk} />
      <SpeakButton desk={desk} />
    </div>
  );
}

function ModelOption({ model }: { model: SpeechModel }) {
  return (
    <>
      <span className="grid min-w-0 flex-1">
        <span className="truncate">{model.name}</span>
        <span className="figures truncate text-xs text-faint">{model.id}</span>
      </span>
      {model.isOffline && <Badge tone="bad">{words.offline}</Badge>}
      <span className="figures text-xs text-dim">
        {words.perMillion(formatUsdNumber(model.usdPerMillionCharacters))}
      </span>
    </>
  );
}

function SpeakButton({ desk }: { desk: SpeechDesk }) {
  if (desk.isSpeaking) {
    return (
      <Button onClick={onSingleClick(desk.stop)} className="min-w-28">
        <Square aria-hidden />
        {words.stop}
      </Button>
    );
  }
  return (
    <Button
      tone="primary"
      onClick={() => desk.speak()}
      disabled={desk.settled === null || desk.credential.kind === 'pending'}
      aria-keyshortcuts="Control+Enter Meta+Enter"
      className="min-w-28"
    >
      <AudioLines aria-hidden />
      {words.speak}
      <Kbd className="hidden lg:inline-flex">{words.speakKeys}</Kbd>
    </Button>
  );
}

function Price({ desk: { costUsd, characters, settled, problem } }: { desk: SpeechDesk }) {
  if (problem !== null) return <span className="text-right text-xs text-bad">{words.cannotSend}</span>;
  if (costUsd === null) return <span className="text-xs text-faint">{words.noPrice}</span>;
  return (
    <p className="figures min-w-0 text-xs leading-4 md:text-right" title={words.priceHelp}>
      <span className="block truncate">
        {words.characters(characters)}
        {settled?.otherVoice != null && words.twice}
      </span>
      <span className="block truncate text-dim" data-testid="speech-cost">
        {formatCost(costUsd)}
      </span>
    </p>
  );
}
