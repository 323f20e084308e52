'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { useDeleteVideo } from '@/lib/browser/video/use-videos';
import type { VideoJob } from '@/lib/browser/video/video-jobs';
import { videoCardWords as words } from '@/lib/browser/words/video-cards';
import type { CallCredential } from '@/lib/client';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';

export function DeleteVideo({ job, credential }: { job: VideoJob; credential: CallCredential | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteVideo(credential);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="sm">
          <Trash2 aria-hidden />
          {words.delete}
        </Button>
      </DialogTrigger>
      <DialogContent title={words.deleteTitle} description={words.deleteHelp}>
        {remove.isError && (
          <Notice tone="bad" title={remove.error.message}>
            {words.deleteFailed}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{words.keep}</Button>
          </DialogClose>
          <Button
            tone="primary"
            disabled={remove.isPending}
            onClick={() => remove.mutate(job, { onSuccess: () => setOpen(false) })}
          >
            {remove.isPending ? words.deleting : words.confirm}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
