'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { PickerFrame } from '@/components/ui/combobox';
import { onApproach } from '@/components/ui/on-approach';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { isWithout } from '@/lib/browser/credential/credential';
import type { ChatModelInfo } from '@/lib/client/chat-models';
import {
  CircleDashed,
  CodeXml,
  Columns2,
  LoaderCircle,
  LockOpen,
  type LucideIcon,
  SquarePen,
  Unplug,
} from 'lucide-react';
import { type ChatView, showPrivacyOf, usePrivacySide } from './chat-view';
import type { SideName } from './conversation';
import { PrivacyBadge, privacyWordOf } from './privacy-badge';
import { CHANGED, checksOnTheWay, passedOf, VERDICTS } from './privacy/verdicts';
import type { Chat } from './use-chat';
import { chatWords as words } from './words';

/** Loaded when visible, because wide screens hide this control. */
const ViewSelect = onApproach(() => import('./view-select').then((module) => module.ViewSelect), {
  waiting: <Skeleton className="h-8 w-9.5 pointer-coarse:h-10" />,
});

const BesideBar = onDemand(() => import('./beside-bar').then((module) => module.BesideBar), {
  waiting: <Skeleton className="mx-3 my-1 h-8 lg:mx-4" />,
});

interface ChatBarProps {
  chat: Chat;
  view: ChatView;
  onShow: (view: ChatView) => void;
  onBegun: () => void;
  onApproach: () => void;
  className?: string;
}

/**
 * Shows the model and its privacy. On small screens, also shows a button for a new conversation and a choice of views.
 */
export function ChatBar({ chat, view, onShow, onBegun, onApproach, className }: ChatBarProps) {
  const { beside, model, models } = chat;
  const privacySide = usePrivacySide();
  const isDrawerOpen = view !== 'talk' && view !== 'kept';
  const togglePrivacy = (side: SideName) => {
    if (view === 'lock' && (privacySide === side || beside === null)) return onShow('talk');
    showPrivacyOf(side);
    onShow('lock');
  };
  const others = models?.filter(({ id, isOffline }) => id !== model?.id && !isOffline) ?? [];
  return (
    <div onPointerEnter={onApproach} className={cn('shrink-0 border-b border-line', className)}>
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto_auto] sm:grid-cols-[minmax(0,1fr)_auto_auto_auto_auto] items-center gap-1.5 px-3 py-1 short:py-0.5! sm:gap-2 md:flex md:py-2 lg:px-4">
        {/* On a wide screen, the picker of a single model is beside the question. */}
        <MainModelPicker chat={chat} className={cn('md:w-72', beside === null && 'lg:hidden')} />
        <PrivacyChip
          chat={chat}
          isOpen={view === 'lock' && privacySide === 'main'}
          onClick={() => togglePrivacy('main')}
        />
        <CompareButton chat={chat} className="max-sm:hidden" />
        <span className="hidden flex-1 md:block" />
        <NewButton
          chat={chat}
          onBegun={onBegun}
          className={cn('max-sm:px-2.5', isDrawerOpen ? 'xl:hidden' : 'lg:hidden')}
        />
        <Button
          tone="quiet"
          aria-expanded={view === 'code'}
          onClick={() => onShow(view === 'code' ? 'talk' : 'code')}
          className="max-lg:hidden"
        >
          <CodeXml aria-hidden />
          {words.views.code}
        </Button>
        <div className="lg:hidden">
          <ViewSelect view={view} onShow={onShow} />
        </div>
      </div>
      {beside !== null && (
        <BesideBar
          chat={chat}
          beside={beside}
          models={others}
          isPrivacyOpen={view === 'lock' && privacySide === 'beside'}
          onShowPrivacy={() => togglePrivacy('beside')}
        />
      )}
    </div>
  );
}

/**
 * Button that leaves the open conversation. A new React key then makes React replace the button, and the page moves
 * focus to the question.
 */
export function NewButton({
  chat,
  onBegun,
  isWhole = false,
  className,
}: {
  chat: Chat;
  onBegun: () => void;
  isWhole?: boolean;
  className?: string;
}) {
  return (
    <Button
      key={chat.conversation === null ? 'none to leave' : 'one to leave'}
      onClick={() => {
        chat.startNew();
        onBegun();
      }}
      disabled={chat.conversation === null}
      aria-label={words.bar.begin}
      {...(className === undefined ? {} : { className })}
    >
      <SquarePen aria-hidden />
      {isWhole ? words.bar.begin : <span className="hidden sm:inline">{words.bar.beginShort}</span>}
    </Button>
  );
}

const ModelList = onDemand(() => import('./model-list').then((module) => module.ModelList), {
  waiting: <Skeleton className="m-2 h-40" />,
});

export function MainModelPicker({ chat, className }: { chat: Chat; className: string }) {
  const { beside, model, models, settings } = chat;
  return (
    <ModelPicker
      models={models}
      model={model}
      name={model?.id ?? settings.modelId}
      // If the user chooses the second model here, the two models swap places.
      onChoose={(modelId) =>
        chat.change({ modelId, ...(modelId === beside?.model.id && { besideModelId: model?.id ?? null }) })
      }
      className={className}
    />
  );
}

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
  /** Chosen model; null if it is not in the model list. */
  model: ChatModelInfo | null;
  name: string | null;
  onChoose: (modelId: string) => void;
  className?: string;
}) {
  return (
    <PickerFrame
      label={label}
      value={name}
      shown={name !== null && model !== null ? `${name} ${privacyWordOf(model.can)}` : undefined}
      onChoose={onChoose}
      preload={ModelList.preload}
      renderList={(choose) =>
        models === null ? (
          <Skeleton className="m-2 h-40" />
        ) : (
          <ModelList label={label} models={models} name={name} choose={choose} />
        )
      }
      contentClassName="min-w-[min(34rem,calc(100vw-16px))]"
      {...(className === undefined ? {} : { className })}
    >
      {models === null ? (
        <Skeleton className="my-1.25 h-3 w-28" />
      ) : (
        <span className="truncate font-medium">{name ?? words.model.none}</span>
      )}{' '}
      {model !== null && (
        <span className="ml-auto">
          <PrivacyBadge can={model.can} isTerse />
        </span>
      )}
    </PickerFrame>
  );
}

/** Button that shows the verdict in a word or two and opens the Privacy panel. */
export function PrivacyChip({ chat, isOpen, onClick }: { chat: Chat; isOpen: boolean; onClick: () => void }) {
  const { word: whole, Icon, ink, checks = null } = lookOf(chat);
  // Shortens the verdict on a phone, to leave room for the model's name.
  const [word, qualifier] = whole === words.privacy['unknown-workload'] ? whole.split(' ') : [whole];
  return (
    <Button
      onClick={onClick}
      aria-expanded={isOpen}
      aria-label={words.privacy.label(checks === null ? whole : `${whole} · ${checks}`)}
      title={whole}
      className="px-2.5"
    >
      <Icon aria-hidden className={cn(ink, Icon === LoaderCircle && 'animate-spin')} />
      <span className={cn('max-sm:text-xs', ink)}>
        {word}
        {qualifier !== undefined && <span className="max-sm:sr-only"> {qualifier}</span>}
      </span>
      {checks !== null && <span className="figures text-xs text-dim max-md:hidden">· {checks}</span>}
    </Button>
  );
}

function lookOf({ model, models, privacy, credential, isOnPlainHttp }: Chat): {
  word: string;
  Icon: LucideIcon;
  ink: string;
  checks?: string;
} {
  if (model === null && models !== null)
    return { word: words.privacy.notVerified, Icon: CircleDashed, ink: 'text-dim' };
  if (model !== null && !model.can.attest) return { word: words.privacy.none, Icon: LockOpen, ink: 'text-dim' };
  if (model !== null && (isOnPlainHttp || (privacy.kind === 'unchecked' && isWithout(credential))))
    return { word: words.privacy.notVerified, Icon: CircleDashed, ink: 'text-dim' };
  switch (privacy.kind) {
    case 'judged': {
      const { verdict } = privacy.attestation;
      const { conclusion } = verdict;
      if (privacy.changes.length > 0) return { word: words.privacy.changed, Icon: CHANGED.Icon, ink: CHANGED.ink };
      const { Icon, ink } = VERDICTS[conclusion];
      const { checks } = checksOnTheWay(verdict);
      const isSealed = conclusion === 'verified' && model?.can.encrypt === true;
      return {
        word: isSealed ? words.privacy.encrypted : words.privacy[conclusion],
        Icon,
        ink,
        checks: words.privacy.checks(passedOf(checks), checks.length),
      };
    }
    case 'unanswered':
      return { word: words.privacy.unanswered, Icon: Unplug, ink: 'text-dim' };
    default:
      return { word: words.privacy.checking, Icon: LoaderCircle, ink: 'text-dim' };
  }
}

export function CompareButton({
  chat,
  isQuiet = false,
  className,
}: {
  chat: Chat;
  isQuiet?: boolean;
  className?: string;
}) {
  const { model, models, beside, change } = chat;
  const other = models?.find(({ id, isOffline }) => id !== model?.id && !isOffline) ?? null;
  return (
    <Button
      tone={isQuiet ? 'quiet' : 'outline'}
      size={isQuiet ? 'icon' : 'md'}
      aria-label={words.beside.add}
      title={words.beside.add}
      aria-pressed={beside !== null}
      disabled={other === null}
      onClick={() => change({ besideModelId: beside === null ? (other?.id ?? null) : null })}
      className={`aria-pressed:bg-hover ${isQuiet ? '' : 'px-2.5'} ${className ?? ''}`}
    >
      <Columns2 aria-hidden />
      {!isQuiet && <span className="hidden xl:inline">{words.beside.addShort}</span>}
    </Button>
  );
}
