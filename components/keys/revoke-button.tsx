'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { forgetKey, useOwnKey } from '@/lib/browser/credential';
import { useRevokeKey } from '@/lib/browser/keys/use-revoke-key';
import type { CallCredential, ListedKey } from '@/lib/client';
import { revokeWords as words } from '@/lib/browser/words/wallet-keys';
import { useState } from 'react';

export function RevokeButton({ listed, credential }: { listed: ListedKey; credential: CallCredential | null }) {
  const [open, setOpen] = useState(false);
  const revoke = useRevokeKey(credential);
  const own = useOwnKey();
  const isOwn = own?.apiKey.endsWith(listed.last6Chars) === true;
  const name = listed.description || `…${listed.last6Chars}`;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" className="justify-self-start" aria-label={words.revokeKey(name)}>
          {words.revoke}
        </Button>
      </DialogTrigger>
      <DialogContent title={words.question(name)} description={words.consequence}>
        {isOwn && <p className="text-sm text-dim">{words.isInUse}</p>}
        {revoke.isError && (
          <Notice tone="bad" title={revoke.error.message}>
            {words.stillWorks}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{words.keep}</Button>
          </DialogClose>
          <Button
            tone="primary"
            disabled={revoke.isPending}
            onClick={() =>
              revoke.mutate(listed.id, {
                onSuccess: () => setOpen(false),
              })
            }
          >
            {revoke.isPending ? words.isRevoking : words.yes}
          </Button>
          {isOwn && (
            <Button
              disabled={revoke.isPending}
              onClick={() =>
                revoke.mutate(listed.id, {
                  onSuccess: () => {
                    forgetKey('nobody');
                    setOpen(false);
                  },
                })
              }
            >
              {words.yesAndStop}
            </Button>
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}
