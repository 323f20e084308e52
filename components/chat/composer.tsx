'use client';

import { ChoosePayer } from '@/components/paying/choose-payer';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { onSingleClick } from '@/components/ui/single-click';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost, formatUsdNumber } from '@/lib/browser/text/amounts';
import { pictureTokens } from '@/lib/protocol/chat/picture-tokens';
import type { TokenPrice } from '@/lib/protocol/chat/token-price';
import {
  Braces,
  CircleAlert,
  Lock,
  LockOpen,
  Paperclip,
  SendHorizontal,
  SlidersHorizontal,
  Square,
} from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type AttachedPicture, PICTURE_TYPES } from './attached-pictures';
import type { ChatView } from './chat-view';
import { MainModelPicker, CompareButton } from './chat-bar';
import { type ChatMessage, messagesOf } from './conversation';
import { draftQuestion, nextQuestionOf, useQuestionDraft } from './question-drafts';
import { QuestionField, useAway } from './question-field';
import { type AttachedFiles, sightOf, useAttachedFiles } from './use-attached-files';
import type { Chat, Obstacle } from './use-chat';
import { chatWords as words } from './words';

const FileChips = onDemand(() => import('./file-chips').then((module) => module.FileChips), {
  waiting: <Skeleton className="h-7" />,
});

export const QUESTION_ID = 'question';

export function Composer({ chat, onShow }: { chat: Chat; onShow: (view: ChatView) => void }) {
  const place = nextQuestionOf(chat.conversation?.id ?? null);
  const text = useQuestionDraft(place) ?? '';
  const { model, running } = chat;
  const away = useAway();
  const sight = sightOf([model, chat.beside?.model ?? null], chat.models);
  const attached = useAttachedFiles(place, sight);
  const blind =
    attached.pictures.length === 0 || sight.blindId === null
      ? null
      : { sentence: words.composer.blind(sight.blindId, sight.insteadId), cure: null };
  const obstacle = away === null ? (chat.obstacle ?? blind) : { sentence: away, cure: null };
  const { isOver, ...dropping } = useDropping(attached);
  const hasAttached = attached.files.length > 0 || attached.pictures.length > 0;
  const hasQuestion = text.trim() !== '' || hasAttached;
  const isReady = obstacle === null && running.length === 0;
  useStopShortcut(chat);
  const send = () => {
    if (!isReady || !hasQuestion) return;
    chat.send(text, attached.files, attached.pictures);
    draftQuestion(place, null);
    attached.clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const isEncrypted = model?.can.encrypt === true;
  return (
    <form
      aria-label={words.composer.form}
      className={cn(
        'grid shrink-0 gap-1.5 border-t border-line px-3 py-2 max-sm:py-1.5 short:gap-0.5 short:py-1! lg:mx-auto lg:w-full lg:border-t-0 lg:px-6 lg:pt-1 lg:pb-4',
        chat.beside === null ? 'lg:max-w-3xl' : 'lg:max-w-6xl',
      )}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...dropping}
    >
      {(hasAttached || attached.refused.length > 0) && (
        <FileChips attached={attached} onEmpty={() => document.getElementById(QUESTION_ID)?.focus()} />
      )}
      <div
        className={cn(
          'flex items-end gap-2 rounded-md border bg-ground p-1.5 lg:flex-wrap lg:rounded-lg lg:p-2 max-sm:p-0 short:p-0 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-amber-ink',
          isEncrypted ? 'border-violet-line' : 'border-edge',
          isOver && 'bg-hover',
        )}
      >
        <AttachButton takesPictures={sight.blindId === null} onFiles={(files) => void attached.attach(files)} />
        <Button
          tone="quiet"
          size="icon"
          aria-label={words.composer.settings}
          title={words.composer.settings}
          className="max-sm:hidden"
          onClick={() => onShow('setup')}
        >
          <SlidersHorizontal aria-hidden />
        </Button>
        <CompareButton chat={chat} isQuiet className="sm:hidden" />
        <QuestionField
          id={QUESTION_ID}
          value={text}
          onChange={(typed) => draftQuestion(place, typed)}
          onKeyDown={onKeyDown}
          onFiles={(files) => void attached.attach(files)}
          label={words.composer.label}
          describedBy="composer-state"
          placeholder={chat.beside === null ? words.composer.ask(model?.id ?? null) : words.composer.askBoth}
          className="lg:order-first lg:basis-full"
        />
        {/* The wide screen's question has a line of its own, above the controls. */}
        <span className="hidden min-w-0 flex-1 lg:block">
          {chat.beside === null && <MainModelPicker chat={chat} className="w-72 max-w-full border-transparent" />}
        </span>
        {running.length === 0 ? (
          // With different keys, React replaces the Send button instead of reusing it as Stop. Focus then moves to the
          // question.
          <Button key="send" type="submit" tone="primary" disabled={!isReady || !hasQuestion} aria-keyshortcuts="Enter">
            <SendHorizontal aria-hidden />
            {words.composer.send}
            <Kbd className="hidden lg:inline-flex">⏎</Kbd>
          </Button>
        ) : (
          <Button key="stop" onClick={onSingleClick(() => chat.stop())} aria-keyshortcuts="Escape">
            <Square aria-hidden />
            {words.composer.stop}
            <Kbd className="hidden lg:inline-flex">Esc</Kbd>
          </Button>
        )}
      </div>
      <ComposerState
        chat={chat}
        obstacle={obstacle}
        characters={attached.files.reduce((sum, file) => sum + file.text.length, text.length)}
        pictures={attached.pictures}
        onShow={onShow}
      />
    </form>
  );
}

function Cure({ of: cure, onShow }: { of: NonNullable<Obstacle['cure']>; onShow: (view: ChatView) => void }) {
  if (cure === 'payer') return <ChoosePayer isInline focusAfter={() => document.getElementById(QUESTION_ID)} />;
  return (
    <Button tone="link" size="inline" onClick={() => onShow(cure)}>
      {words.obstacleCures[cure]}
    </Button>
  );
}

interface StateProps {
  chat: Chat;
  obstacle: Obstacle | null;
  characters: number;
  pictures: readonly AttachedPicture[];
  onShow: (view: ChatView) => void;
}

/**
 * Shows why sending is blocked, or who can read the message and what the message costs. On a phone, the text is
 * shortened to one line after the first question, because the bar above then shows who can read messages.
 */
function ComposerState({ chat, obstacle, characters, pictures, onShow }: StateProps) {
  const { conversation } = chat;
  const line = cn(
    'flex min-h-5 short:min-h-4! min-w-0 items-center gap-1.5 text-xs leading-4',
    conversation === null && 'max-sm:min-h-8',
  );
  if (obstacle !== null) {
    return (
      <p id="composer-state" className={cn(line, 'text-ink')}>
        <CircleAlert aria-hidden className="size-3.5 shrink-0 text-amber-ink" />
        <span className="min-w-0">
          {obstacle.sentence} {obstacle.cure !== null && <Cure of={obstacle.cure} onShow={onShow} />}
        </span>
      </p>
    );
  }
  const { model, privacy, isNamed } = leastPrivate(chat);
  const isEncrypted = model?.can.encrypt === true;
  const Icon = isEncrypted ? Lock : LockOpen;
  return (
    <p id="composer-state" className={cn(line, isEncrypted ? 'text-violet' : 'text-dim')}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className={cn('min-w-0 flex-1', conversation !== null && 'max-sm:truncate')}>
        {isNamed && `${model?.id}: `}
        {readersOf(model, privacy)}
      </span>
      <Settings chat={chat} />
      <ExpectedCost chat={chat} characters={characters} pictures={pictures} />
    </p>
  );
}

function Settings({ chat: { settings, schema } }: { chat: Chat }) {
  const { temperature = null, maxTokens = null } = settings;
  const set = [
    ...(temperature === null ? [] : [words.composer.temperature(temperature)]),
    ...(maxTokens === null ? [] : [words.composer.maxTokens(maxTokens)]),
  ];
  return (
    <>
      {set.length > 0 && (
        <span data-testid="settings-set" className="figures shrink-0 text-dim max-sm:hidden">
          {set.join(' · ')}
        </span>
      )}
      {schema.kind === 'strict' && (
        <span className="flex shrink-0 items-center gap-1 text-dim">
          <Braces aria-hidden className="size-3.5" />
          {words.composer.schemaOn}
        </span>
      )}
    </>
  );
}

/** Returns the less private of two models, because the question goes to both. */
function leastPrivate({ model, privacy, beside }: Chat): Pick<Chat, 'model' | 'privacy'> & { isNamed: boolean } {
  if (beside === null || model === null) return { model, privacy, isNamed: false };
  const rankOf = ({ can }: NonNullable<Chat['model']>) => (can.encrypt ? 2 : can.attest ? 1 : 0);
  const isBeside = rankOf(beside.model) < rankOf(model);
  return isBeside
    ? { model: beside.model, privacy: beside.privacy, isNamed: true }
    : { model, privacy, isNamed: rankOf(beside.model) !== rankOf(model) };
}

function ExpectedCost({
  chat: { model, beside, conversation, settings },
  characters,
  pictures,
}: Pick<StateProps, 'chat' | 'characters' | 'pictures'>) {
  const turns = conversation?.turns;
  const { systemPrompt, maxTokens = null } = settings;
  const before = useMemo(() => {
    const asked = { systemPrompt, turns: [...(turns ?? []), NOTHING_ASKED] };
    return { main: messagesOf(asked), beside: messagesOf(asked, 'beside') };
  }, [systemPrompt, turns]);
  const prices = [model?.price ?? null, ...(beside === null ? [] : [beside.model.price])];
  if (prices.every((price) => price === null)) return null;
  const costs = prices.map((price, index) =>
    price === null
      ? words.composer.unknownCost
      : expectedCost(index === 0 ? before.main : before.beside, characters, price, maxTokens, pictures),
  );
  const means = [model, beside?.model ?? null].flatMap((each) =>
    each?.price == null
      ? []
      : words.composer.costMeans(
          beside === null ? null : each.id,
          formatUsdNumber(each.price.inputNanoUsdPerMillion / 1e9),
          formatUsdNumber(each.price.outputNanoUsdPerMillion / 1e9),
        ),
  );
  return (
    <span
      data-testid="expected-cost"
      className="figures shrink-0 text-dim"
      title={[...means, words.composer.costIs].join(' ')}
    >
      {words.composer.costs(costs.join(' + '))}
    </span>
  );
}

/** Last turn for the cost estimate. Empty, because the estimate adds the typed message separately. */
const NOTHING_ASKED = { id: '', question: '', askedAtMs: 0, answer: null };

function readersOf(model: Chat['model'], privacy: Chat['privacy']): string {
  const conclusion = privacy.kind === 'judged' ? privacy.attestation.verdict.conclusion : null;
  if (model?.can.encrypt) {
    if (conclusion === 'simulated') return words.composer.forSimulated;
    if (conclusion === 'unknown-workload') return words.composer.forUnknown;
    return conclusion === 'verified' ? words.composer.forEnclave : words.composer.onceProven;
  }
  return model?.can.attest ? words.composer.attested : words.composer.relayed;
}

function useDropping({ attach }: AttachedFiles) {
  const [isOver, setIsOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      setIsOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      void attach([...event.dataTransfer.files]);
    },
  };
}

/** Lets Escape stop the answer, unless Escape closes an open element. */
function useStopShortcut({ running, stop }: Chat): void {
  const isRunning = running.length > 0;
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = stop;
  });
  useEffect(() => {
    if (!isRunning) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role="dialog"]') === null)
        latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isRunning]);
}

/** File types that a file picker shows first. Other text files are accepted too. */
const ACCEPTED =
  'text/*,application/json,application/xml,.md,.csv,.tsv,.log,.json,.yaml,.yml,.toml,.ini,.xml,.html,.css,.js,.ts,.tsx,.py,.go,.rs,.sol,.java,.c,.h,.cpp,.sh,.sql';

function AttachButton({
  takesPictures,
  onFiles,
}: {
  takesPictures: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const label = takesPictures ? words.composer.attachAny : words.composer.attach;
  return (
    <>
      <Button tone="quiet" size="icon" aria-label={label} title={label} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={takesPictures ? [...PICTURE_TYPES, ACCEPTED].join() : ACCEPTED}
        data-testid="attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Clears the field, because choosing the same file again would otherwise cause no change event.
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Average for English. Other languages often have fewer characters per token. */
const CHARACTERS_PER_TOKEN = 4;
/** Estimated length of an answer, about 500 words. */
const ANSWER_TOKENS = 667;

/**
 * Estimates the cost of a message to two digits, such as `$0.0003`.
 * @param messages earlier messages, which are sent again
 * @param characters length of the message and its attachments
 * @param maxTokens maximum length of the answer; null for no limit
 */
export function expectedCost(
  messages: readonly ChatMessage[],
  characters: number,
  { inputNanoUsdPerMillion, outputNanoUsdPerMillion }: TokenPrice,
  maxTokens: number | null = null,
  pictures: readonly AttachedPicture[] = [],
): string {
  const sent = messages.reduce((sum, { content }) => sum + content.length, characters);
  const seen = [...pictures, ...messages.flatMap((message) => message.pictures ?? [])];
  const promptTokens = seen.reduce((sum, picture) => sum + pictureTokens(picture), sent / CHARACTERS_PER_TOKEN);
  const nanoUsd =
    (promptTokens * inputNanoUsdPerMillion +
      Math.min(ANSWER_TOKENS, maxTokens ?? ANSWER_TOKENS) * outputNanoUsdPerMillion) /
    1e6;
  return formatCost(Number((nanoUsd / 1e9).toPrecision(2)).toFixed(9));
}
