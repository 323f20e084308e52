'use client';

import { GatewayProblem } from '@/components/rpc/gateway-problem';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { formatCost } from '@/lib/browser/amounts';
import type { Credential } from '@/lib/browser/credential';
import { useHydrated } from '@/lib/browser/hydrated';
import { useQueueVideo, videoCostUsd } from '@/lib/browser/video/use-videos';
import type { CallCredential, VideoModel, VideoRequest } from '@/lib/client';
import { Clapperboard } from 'lucide-react';
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';

const PROMPT_CHARACTERS_MAX = 2_500;

interface QueueFormProps {
  /** null until they are known. */
  models: readonly VideoModel[] | null;
  credential: Credential;
  onEdit: (request: VideoRequest) => void;
}

/** What to make, for how much. */
export function QueueForm({ models, credential, onEdit }: QueueFormProps) {
  const [fields, setFields] = useState({ model: '', prompt: '', duration: '', aspectRatio: '' });
  const [showProblem, setShowProblem] = useState(false);
  const queue = useQueueVideo();
  const prompt = useRef<HTMLTextAreaElement>(null);
  const model = models?.find(({ id }) => id === fields.model) ?? models?.[0];
  if (models === null) return <Skeleton className="h-72" />;
  if (model === undefined) return null;
  const request: VideoRequest = {
    model: model.id,
    prompt: fields.prompt,
    duration: model.durations.includes(fields.duration) ? fields.duration : (model.durations[0] ?? '5s'),
    aspect_ratio: model.aspectRatios.includes(fields.aspectRatio) ? fields.aspectRatio : (model.aspectRatios[0] ?? '16:9'),
  };
  const edit = (change: Partial<typeof fields>) => {
    const next = { ...fields, ...change };
    setFields(next);
    setShowProblem(false);
    onEdit({ ...request, prompt: next.prompt, duration: next.duration || request.duration, aspect_ratio: next.aspectRatio || request.aspect_ratio, model: next.model || model.id });
  };
  const costUsd = videoCostUsd(model, request.duration);
  const problem = problemOf(fields.prompt);
  const submit = (presented: CallCredential | null = credential.presented) => {
    setShowProblem(problem !== null);
    if (problem !== null) prompt.current?.focus();
    if (problem === null && credential.kind !== 'pending') queue.mutate({ request, costUsd, credential: presented });
  };
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <ModelFields models={models} model={model} request={request} onEdit={edit} />
      <PromptField field={prompt} value={fields.prompt} problem={showProblem ? problem : null} onEdit={(prompt) => edit({ prompt })} onSubmit={() => submit()} />
      {queue.isError && <GatewayProblem error={queue.error} onRetry={submit} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-xs text-dim">
          <span className="figures text-ink" data-testid="video-cost">{formatCost(costUsd)}</span> is taken now, and given back if the video fails.
        </p>
        <Button type="submit" tone="primary" disabled={queue.isPending || credential.kind === 'pending'}>
          <Clapperboard aria-hidden />
          {queue.isPending ? 'Queueing…' : 'Make the video'}
        </Button>
      </div>
    </form>
  );
}

interface ModelFieldsProps {
  models: readonly VideoModel[];
  model: VideoModel;
  request: VideoRequest;
  onEdit: (change: { model?: string; duration?: string; aspectRatio?: string }) => void;
}

function ModelFields({ models, model, request, onEdit }: ModelFieldsProps) {
  const id = useId();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field label="Model" htmlFor={`${id}-model`}>
          <Select id={`${id}-model`} value={model.id} onChange={(event) => onEdit({ model: event.target.value })}>
            {models.map(({ id: each, name, isOffline }) => (
              <option key={each} value={each}>
                {name} ({each}){isOffline ? ', offline' : ''}
              </option>
            ))}
          </Select>
          {model.engine !== null && <p className="text-xs wrap-anywhere text-faint">Made by: {model.engine}</p>}
        </Field>
      </div>
      <Field label="Length" htmlFor={`${id}-duration`}>
        <Select id={`${id}-duration`} value={request.duration} onChange={(event) => onEdit({ duration: event.target.value })}>
          {model.durations.map((duration) => (
            <option key={duration} value={duration}>
              {duration.replace(/s$/, ' s')}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Aspect ratio" htmlFor={`${id}-ratio`}>
        <Select id={`${id}-ratio`} value={request.aspect_ratio} onChange={(event) => onEdit({ aspectRatio: event.target.value })}>
          {model.aspectRatios.map((ratio) => (
            <option key={ratio}>{ratio}</option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

function PromptField({ field, value, problem, onEdit, onSubmit }: { field: RefObject<HTMLTextAreaElement | null>; value: string; problem: string | null; onEdit: (text: string) => void; onSubmit: () => void }) {
  const id = useId();
  const hydrated = useHydrated();
  const count = Array.from(value).length;
  return (
    <Field label="Prompt" htmlFor={id} message={problem} hint={<span className="figures">{count.toLocaleString('en-US')} / {PROMPT_CHARACTERS_MAX.toLocaleString('en-US')}</span>}>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        value={value}
        readOnly={!hydrated}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-message`}
        placeholder="A toll gate at dawn, its lamp just lit"
        onChange={(event) => onEdit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSubmit();
        }}
        className={cn('min-h-28 w-full resize-y rounded-md border border-edge bg-ground px-2.5 py-2 text-sm placeholder:text-faint aria-invalid:border-bad')}
      />
    </Field>
  );
}

function problemOf(prompt: string): string | null {
  if (prompt.trim() === '') return 'Say what the video should show.';
  if (Array.from(prompt).length > PROMPT_CHARACTERS_MAX) return `At most ${PROMPT_CHARACTERS_MAX.toLocaleString('en-US')} characters.`;
  return /[\0\p{Surrogate}]/u.test(prompt) ? 'The prompt holds a character that cannot be sent: a NUL, or half of a surrogate pair.' : null;
}
