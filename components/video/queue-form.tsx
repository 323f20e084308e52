'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { onDemand } from '@/components/ui/on-demand';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/text/amounts';
import type { Credential } from '@/lib/browser/credential/credential';
import { useHydrated } from '@/lib/browser/storage/stored-value';
import { askForVideo, useUnqueuedVideo } from './unqueued-job';
import { lengthsInOrder, useVideoDraft, videoCostUsd } from './video-models';
import { videoWords } from './words';
import type { VideoModel, VideoRequest } from '@/lib/client';
import { Clapperboard } from 'lucide-react';
import { type FormEvent, type RefObject, useId, useState } from 'react';

const UnqueuedVideo = onDemand(() => import('./unqueued-video').then((module) => module.UnqueuedVideo), {
  waiting: <Skeleton className="h-24" />,
});
const { form: words } = videoWords;

const PROMPT_CHARACTERS_MAX = 2_500;
/** Gives the form its final size before the models arrive. */
const UNKNOWN_MODEL: VideoModel = {
  id: '',
  name: '',
  engine: null,
  isOffline: false,
  durations: [],
  aspectRatios: [],
  usdPerSecond: 0,
};

interface QueueFormProps {
  models: readonly VideoModel[] | null;
  hasFailed: boolean;
  credential: Credential;
  onEdit: (request: VideoRequest) => void;
  prompt: RefObject<HTMLTextAreaElement | null>;
}

export function QueueForm({ models, hasFailed, credential, onEdit, prompt }: QueueFormProps) {
  const { fields, edit: keepFields } = useVideoDraft();
  const [showProblem, setShowProblem] = useState(false);
  const unqueued = useUnqueuedVideo();
  const model = models === null ? UNKNOWN_MODEL : (models.find(({ id }) => id === fields.model) ?? models[0]);
  if (model === undefined) return null;
  const request: VideoRequest = {
    model: model.id,
    prompt: fields.prompt,
    duration: model.durations.includes(fields.duration) ? fields.duration : (model.durations[0] ?? '5s'),
    aspect_ratio: model.aspectRatios.includes(fields.aspectRatio)
      ? fields.aspectRatio
      : (model.aspectRatios[0] ?? '16:9'),
  };
  const edit = (change: Partial<typeof fields>) => {
    const next = { ...fields, ...change };
    keepFields(change);
    setShowProblem(false);
    onEdit({
      ...request,
      prompt: next.prompt,
      duration: next.duration || request.duration,
      aspect_ratio: next.aspectRatio || request.aspect_ratio,
      model: next.model || model.id,
    });
  };
  const costUsd = videoCostUsd(model, request.duration);
  const problem = problemOf(fields.prompt);
  const isAsking = unqueued?.isAsking === true;
  const submit = () => {
    setShowProblem(problem !== null);
    if (problem !== null) prompt.current?.focus();
    if (problem === null && models !== null && !isAsking && credential.kind !== 'pending')
      void askForVideo(request, costUsd, credential.presented);
  };
  return (
    <>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
        }}
      >
        <PromptField
          field={prompt}
          value={fields.prompt}
          problem={showProblem ? problem : null}
          onEdit={(prompt) => edit({ prompt })}
          onSubmit={submit}
        />
        <ModelFields models={models} model={model} request={request} onEdit={edit} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-xs text-dim">
            {models !== null && (
              <>
                <span className="figures text-ink" data-testid="video-cost">
                  {formatCost(costUsd)}
                </span>
                {words.paidNow}
              </>
            )}
            {models === null &&
              (hasFailed ? (
                words.noPrice
              ) : (
                <>
                  <Skeleton className="inline-block h-3 w-12" />
                  {words.paidNow}
                </>
              ))}
          </p>
          <Button
            type="submit"
            tone="primary"
            className="max-sm:w-full"
            disabled={models === null || isAsking || credential.kind === 'pending'}
          >
            <Clapperboard aria-hidden />
            {isAsking ? words.asking : words.make}
          </Button>
        </div>
      </form>
      {/* Outside the form, because a dialog in this card must not submit the form. */}
      {unqueued !== null && !isAsking && <UnqueuedVideo video={unqueued.video} credential={credential} />}
    </>
  );
}

interface ModelFieldsProps {
  models: readonly VideoModel[] | null;
  model: VideoModel;
  request: VideoRequest;
  onEdit: (change: { model?: string; duration?: string; aspectRatio?: string }) => void;
}

function ModelFields({ models, model, request, onEdit }: ModelFieldsProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-2 gap-4">
      <div className="col-span-2">
        <Field label={words.model} htmlFor={`${id}-model`}>
          <Select
            id={`${id}-model`}
            disabled={models === null}
            value={model.id}
            onChange={(chosen) => onEdit({ model: chosen })}
            options={(models ?? []).map(({ id: each, name, isOffline }) => ({
              value: each,
              label: words.modelOption(name, each, isOffline),
            }))}
          />
          <p className="min-h-4 text-xs wrap-anywhere text-faint">
            {model.engine !== null && words.madeBy(model.engine)}
          </p>
        </Field>
      </div>
      <Field label={words.length} htmlFor={`${id}-duration`}>
        <Select
          id={`${id}-duration`}
          disabled={models === null}
          value={request.duration}
          onChange={(duration) => onEdit({ duration })}
          options={lengthsInOrder(model.durations).map((duration) => ({
            value: duration,
            label: words.seconds(duration),
          }))}
        />
      </Field>
      <Field label={words.aspectRatio} htmlFor={`${id}-ratio`}>
        <Select
          id={`${id}-ratio`}
          disabled={models === null}
          value={request.aspect_ratio}
          onChange={(aspectRatio) => onEdit({ aspectRatio })}
          options={model.aspectRatios.map((value) => ({ value }))}
        />
      </Field>
    </div>
  );
}

function PromptField({
  field,
  value,
  problem,
  onEdit,
  onSubmit,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  problem: string | null;
  onEdit: (text: string) => void;
  onSubmit: () => void;
}) {
  const id = useId();
  const hydrated = useHydrated();
  const count = Array.from(value).length;
  return (
    <Field
      label={words.prompt}
      htmlFor={id}
      message={problem}
      hint={<span className="figures">{words.count(count, PROMPT_CHARACTERS_MAX)}</span>}
    >
      <textarea
        ref={field}
        id={id}
        dir="auto"
        value={value}
        readOnly={!hydrated}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-message`}
        placeholder={words.promptPlaceholder}
        onChange={(event) => onEdit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSubmit();
        }}
        className={cn(
          'min-h-28 w-full resize-y rounded-md border border-edge bg-ground px-2.5 py-2 text-sm placeholder:text-faint aria-invalid:border-bad',
        )}
      />
    </Field>
  );
}

function problemOf(prompt: string): string | null {
  if (prompt.trim() === '') return words.promptMissing;
  if (Array.from(prompt).length > PROMPT_CHARACTERS_MAX) return words.promptTooLong(PROMPT_CHARACTERS_MAX);
  return /[\0\p{Surrogate}]/u.test(prompt) ? words.promptUnsendable : null;
}
