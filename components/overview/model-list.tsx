'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { type OfferedModel, useOfferedModels } from '@/lib/browser/offered-models';
import { overviewLowerWords } from '@/lib/browser/words/overview-lower-half';
import { Section } from './section';

const HREFS: Record<OfferedModel['kind'], string> = {
  chat: '/chat',
  speech: '/speech',
  transcriptions: '/reference#transcribe',
  embeddings: '/reference#createEmbeddings',
  images: '/reference#createImages',
  video: '/video',
};

const words = overviewLowerWords.models;

export function ModelList() {
  const { models, error, refetch } = useOfferedModels();
  if (models?.length === 0) return null;
  return (
    <Section title={words.title}>
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
        <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {models.map((model) => (
            <li key={`${model.kind} ${model.id}`}>
              <PageLink
                href={HREFS[model.kind]}
                className="grid h-full content-start gap-1 rounded-md border border-line px-3 py-2 hover:bg-hover"
              >
                <span className="flex min-w-0 items-center gap-2 text-sm">
                  <span className="truncate font-medium">{model.name}</span>
                  <span className="flex-1" />
                  <Badge tone={model.isOffline ? 'bad' : 'good'}>
                    {model.isOffline ? words.isOffline : words.answers}
                  </Badge>
                </span>
                <span className="flex min-w-0 gap-x-3 text-xs text-dim">
                  <span>{words.kinds[model.kind]}</span>
                  {model.id !== model.name && <span className="figures truncate text-faint">{model.id}</span>}
                </span>
                <span className="figures text-xs text-dim">
                  {model.prices.map(({ usd, unit }) => `${formatUsdNumber(usd)} ${unit}`).join(' · ')}
                </span>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
      {error !== null && models !== null && <p className="text-xs text-faint">{words.failedLast(error.message)}</p>}
    </Section>
  );
}
