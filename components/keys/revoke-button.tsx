'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { forgetKey, useOwnKey } from '@/lib/browser/credential';
import { useRevokeKey } from '@/lib/browser/keys/use-keys';
import type { CallCredential, ListedKey } from '@/lib/client';
import { useState } from 'react';

/** Ends a key after asking once. */
export function RevokeButton({ listed, credential }: { listed: ListedKey; credential: CallCredential | null }) {
  const [open, setOpen] = useState(false);
  const revoke = useRevokeKey(credential);
  const own = useOwnKey();
  const isOwn = own?.apiKey.endsWith(listed.last6Chars) === true;
  const name = listed.description || `…${listed.last6Chars}`;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm" className="justify-self-start" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      </DialogTrigger>
      <DialogContent title={`Revoke ${name}?`} description="Its next call is refused with 401, wherever it is in use. This cannot be undone.">
        {isOwn && <p className="text-sm text-dim">This console calls with it now.</p>}
        {revoke.isError && <Notice tone="bad" title={revoke.error.message}>The key still works. Try again.</Notice>}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>Keep it</Button>
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
            {revoke.isPending ? 'Revoking…' : 'Revoke the key'}
          </Button>
          {isOwn && (
            <Button
              disabled={revoke.isPending}
              onClick={() =>
                revoke.mutate(listed.id, {
                  onSuccess: () => {
                    forgetKey();
                    setOpen(false);
                  },
                })
              }
            >
              Revoke and stop using it
            </Button>
          )}
        </div>
      </DialogContent>
    </Dialog>
  );
}
