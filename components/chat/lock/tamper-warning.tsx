'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { dismissAlarm, type TamperAlarm } from '@/lib/browser/chat/tamper-alarms';
import { OctagonAlert } from 'lucide-react';
import { useState } from 'react';

/** The warning that stays, across reloads too, until somebody says that they have read it. While it stands nothing is sent. */
export function TamperWarning({ alarm, onLook }: { alarm: TamperAlarm; onLook: () => void }) {
  const { modelId, sentence, detail, hint, nothingSent, atMs } = alarm;
  return (
    <section role="alert" aria-label="Tamper warning" className="flex shrink-0 gap-3 border-b-2 border-bad bg-bad-soft px-3 py-3 lg:px-4">
      <OctagonAlert aria-hidden className="mt-0.5 size-6 shrink-0 text-bad" />
      <div className="grid min-w-0 flex-1 gap-1.5 text-sm">
        <p className="text-base font-semibold text-bad">
          {sentence} <span className="font-normal">({modelId})</span>
        </p>
        {detail !== null && <p className="font-medium wrap-anywhere">{detail}</p>}
        <p className="text-dim">{hint}</p>
        <p className="text-xs text-dim">
          {nothingSent ? 'Found before anything was sent' : 'Found after the question was sent'}, first at {new Date(atMs).toLocaleString()}. The conversation is stopped.
        </p>
        <div className="flex flex-wrap gap-2 pt-0.5">
          <Button size="sm" onClick={onLook}>
            Look at the checks
          </Button>
          <Dismiss modelId={modelId} />
        </div>
      </div>
    </section>
  );
}

function Dismiss({ modelId }: { modelId: string }) {
  const [hasRead, setHasRead] = useState(false);
  return (
    <Dialog onOpenChange={() => setHasRead(false)}>
      <DialogTrigger asChild>
        <Button size="sm" tone="quiet">
          Dismiss…
        </Button>
      </DialogTrigger>
      <DialogContent title="Dismiss the warning?" description="Somebody between this browser and the enclave may read or change what you write. The next message is sent only if the enclave then proves itself anew; if it does not, this warning is back.">
        <label className="flex items-start gap-2 text-sm">
          <input type="checkbox" checked={hasRead} onChange={(event) => setHasRead(event.target.checked)} className="mt-0.5 size-4 accent-amber" />
          I have looked at what failed, and want to try {modelId} again.
        </label>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>Keep it</Button>
          </DialogClose>
          <Button tone="primary" disabled={!hasRead} onClick={() => dismissAlarm(modelId)}>
            Dismiss the warning
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
