'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Summary } from '@/components/ui/summary';
import { usePendingApproval } from '@/lib/browser/wallet/demo/approval';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { walletWords } from '@/lib/browser/words/wallet';

/** Prompt of the demo wallet before it signs. Closing it refuses the request. */
export function DemoApproval() {
  const pending = usePendingApproval();
  if (pending === null) return null;
  return (
    <Dialog key={pending.id} open onOpenChange={(open) => !open && pending.answer(false)}>
      <DialogContent title={pending.title} description={pending.consequence}>
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone="amber">{walletWords.demo.name}</Badge>
          <span className="figures text-xs" title={pending.address}>
            {shortAddress(pending.address)}
          </span>
          <span className="text-xs text-faint">{walletWords.demo.key}</span>
        </p>
        {pending.facts.length > 0 && (
          <dl className="grid gap-1 text-sm">
            {pending.facts.map(([name, value]) => (
              <div key={name} className="flex gap-3">
                <dt className="w-28 shrink-0 text-dim">{name}</dt>
                <dd className="figures min-w-0 text-xs leading-5 wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <details
          open={pending.facts.length === 0 || (pending.isSent === true && pending.isPlain !== true)}
          className="group rounded-md border border-line"
        >
          <Summary className="min-h-9 px-3 text-sm text-dim hover:text-ink pointer-coarse:min-h-11">
            {walletWords.demo.exactly}
          </Summary>
          <pre
            tabIndex={0}
            aria-label={walletWords.demo.signed}
            className="figures max-h-[40dvh] overflow-auto border-t border-line bg-surface p-3 text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
          >
            {pending.body}
          </pre>
        </details>
        <div className="flex justify-end gap-2">
          <Button onClick={() => pending.answer(false)}>{walletWords.demo.refuse}</Button>
          <Button tone="primary" autoFocus onClick={() => pending.answer(true)}>
            {pending.isSent === true ? walletWords.demo.send : walletWords.demo.sign}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
