'use client';

import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { dismissAlarm, type TamperAlarm } from './tamper-alarms';
import { formatDateTime } from '@/lib/browser/text/moments';
import { chatAlarmWords as words } from './alarm-words';
import { ChevronDown, OctagonAlert } from 'lucide-react';
import { useId, useState } from 'react';

/** Shows a tampering warning. The warning blocks sending until the user acknowledges it, and survives a reload. */
export function TamperWarning({ alarm, onLook }: { alarm: TamperAlarm; onLook: () => void }) {
  const { modelId, sentence, detail, hint, nothingSent, atMs } = alarm;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const restId = useId();
  return (
    <section
      role="alert"
      aria-label={words.label}
      className="flex max-h-[50dvh] shrink-0 gap-3 overflow-auto border-b-2 border-bad bg-bad-soft px-3 py-3 small:gap-2 small:py-2 lg:px-4"
    >
      <OctagonAlert aria-hidden className="mt-0.5 size-6 shrink-0 text-bad small:size-5" />
      <div className="grid min-w-0 flex-1 gap-1.5 text-sm small:gap-1">
        <p className="text-base font-semibold wrap-anywhere text-bad small:text-sm">
          {sentence} <span className="font-normal">({modelId})</span>
        </p>
        {detail !== null && (
          <p className={cn('font-medium wrap-anywhere', !isUnfolded && 'small:line-clamp-2')}>{detail}</p>
        )}
        <div id={restId} className={cn('grid gap-1.5', !isUnfolded && 'small:hidden')}>
          <p className="text-dim wrap-anywhere">{hint}</p>
          <p className="text-xs text-dim">
            {(nothingSent ? words.beforeSending : words.afterSending)(formatDateTime(atMs))}
          </p>
        </div>
        <div className="flex flex-wrap gap-2 pt-0.5 small:gap-1">
          <Button size="sm" onClick={onLook}>
            <span>
              {words.look}
              <span className="max-[24rem]:sr-only">{words.lookRest}</span>
            </span>
          </Button>
          <Dismiss modelId={modelId} />
          <Button
            size="sm"
            tone="quiet"
            aria-expanded={isUnfolded}
            aria-controls={restId}
            className="ml-auto hidden small:inline-flex"
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {isUnfolded ? words.less : words.more}
            <ChevronDown aria-hidden className={cn('transition-transform', isUnfolded && 'rotate-180')} />
          </Button>
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
          {words.dismiss}
        </Button>
      </DialogTrigger>
      <DialogContent title={words.dismissAsk} description={words.dismissWhat}>
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            checked={hasRead}
            onChange={(event) => setHasRead(event.target.checked)}
            className="mt-0.5 size-4 shrink-0"
          />
          <span className="min-w-0 wrap-anywhere">{words.hasRead(modelId)}</span>
        </label>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{words.keep}</Button>
          </DialogClose>
          <Button tone="primary" disabled={!hasRead} onClick={() => dismissAlarm(modelId)}>
            {words.dismissDo}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
