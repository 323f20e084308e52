'use client';

import { PickerFrame } from '@/components/ui/combobox';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { chatWords as words } from '@/lib/browser/words/chat';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import { PrivacyBadge } from './privacy-badge';

const ModelList = onDemand(() => import('./model-list').then((module) => module.ModelList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

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
  return (
    <PickerFrame
      label={label}
      value={name}
      onChoose={onChoose}
      preload={ModelList.preload}
      renderList={(choose) =>
        models === null ? (
          <Skeleton className="m-2 h-40" />
        ) : (
          <ModelList label={label} models={models} name={name} choose={choose} />
        )
      }
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
    </PickerFrame>
  );
}
