'use client';

import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { useChatView } from '@/components/chat/chat-view';
import { clockSentence } from '@/lib/browser/page/clock-words';
import { dismissSecret, putSecretIn, useFoundSecret } from '@/lib/browser/credential/pasted-secret';
import { type StorageTrouble, useStorageTrouble } from '@/lib/browser/storage/stored-value';
import { shellDialogWords } from '../dialog-words';
import { ClockAlert, HardDrive, KeyRound } from 'lucide-react';
import { Strip } from './strip';

/** Shows rare problems of this browser: a secret in a field, a wrong clock, failing storage. */
export function TroubleStrips({ clockAheadMs }: { clockAheadMs: number | null }) {
  const storage = useStorageTrouble();
  const clock = clockSentence(clockAheadMs);
  return (
    <>
      <SecretStrip />
      {clock !== null && (
        <Strip className="bg-amber-soft">
          <ClockAlert aria-hidden className="size-4 shrink-0 text-amber-ink" />
          <p role="alert" className="min-w-0 flex-1 py-1">
            {clock}
          </p>
        </Strip>
      )}
      {storage !== null && <StorageStrip trouble={storage} />}
    </>
  );
}

function StorageStrip({ trouble }: { trouble: StorageTrouble }) {
  const { show } = useChatView();
  const { said, advice } = shellDialogWords.storage[trouble];
  return (
    <Strip className="bg-amber-soft">
      <HardDrive aria-hidden className="size-4 shrink-0 text-amber-ink" />
      <p role="alert" className="min-w-0 flex-1 py-1">
        <strong className="font-semibold">{said}</strong> <span className="text-dim">{advice}</span>
      </p>
      {trouble === 'full' && (
        <Button asChild size="sm">
          <PageLink href="/chat" onClick={() => show('kept')}>
            {shellDialogWords.storage.makeRoom}
          </PageLink>
        </Button>
      )}
    </Strip>
  );
}

function SecretStrip() {
  const found = useFoundSecret();
  if (found === null) return null;
  return (
    <Strip className="bg-bad-soft max-sm:flex-wrap max-sm:justify-end max-sm:pb-2">
      <KeyRound aria-hidden className="size-4 shrink-0 text-bad" />
      <p role="alert" className="min-w-0 flex-1 py-1 max-sm:basis-[calc(100%-2rem)]">
        <strong className="font-semibold">{shellDialogWords.secret.found(found.words)}</strong>{' '}
        <span className="text-dim">{shellDialogWords.secret.safe}</span>
      </p>
      {found.putIn !== null && (
        <Button size="sm" onClick={putSecretIn}>
          {shellDialogWords.secret.putIn}
        </Button>
      )}
      <Button size="sm" onClick={dismissSecret}>
        {shellDialogWords.secret.close}
      </Button>
    </Strip>
  );
}
