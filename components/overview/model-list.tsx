'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { type OfferedModel, useOfferedModels } from '@/lib/browser/offered-models';
import Link from 'next/link';
import { Section } from './section';

const KINDS: Record<OfferedModel['kind'], { title: string; href: string }> = {
  chat: { title: 'Chat', href: '/chat' },
  speech: { title: 'Speech', href: '/speech' },
  video: { title: 'Video', href: '/video' },
};

/** Every model of this gateway: what it does, what it costs, and whether what runs it answers. */
export function ModelList() {
  const { models, error, refetch } = useOfferedModels();
  return (
    <Section title="Models">
      {error !== null && (
        <Notice tone="warn" title="The models cannot be listed." actions={<Button size="sm" onClick={refetch}>Try again</Button>}>
          {error.message}
        </Notice>
      )}
      {error === null && models === null && <Skeleton className="h-40" />}
      {models !== null && models.length === 0 && <p className="text-sm text-dim">This gateway has no models. Its operator connects them by CHAT_UPSTREAM_URL, ENCLAVE_UPSTREAM_URL, SPEECH_UPSTREAM_URL and VIDEO_UPSTREAM_URL.</p>}
      {models !== null && models.length > 0 && (
        <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {models.map((model) => (
            <li key={`${model.kind} ${model.id}`}>
              <Link href={KINDS[model.kind].href} className="grid h-full content-start gap-1 rounded-md border border-line px-3 py-2 hover:bg-hover">
                <span className="flex min-w-0 items-center gap-2 text-sm">
                  <span className="truncate font-medium">{model.name}</span>
                  <span className="flex-1" />
                  <Badge tone={model.isOffline ? 'bad' : 'good'}>{model.isOffline ? 'offline' : 'answers'}</Badge>
                </span>
                <span className="flex min-w-0 gap-x-3 text-xs text-dim">
                  <span>{KINDS[model.kind].title}</span>
                  <span className="figures truncate text-faint">{model.id}</span>
                </span>
                <span className="figures text-xs text-dim">{model.prices.map(({ usd, unit }) => `${formatUsdNumber(usd)} ${unit}`).join(' · ')}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
