import { cn } from '@/components/ui/class-names';
import { receiptsWords as words } from '@/lib/browser/words/receipts';
import type { JudgedReceipt, ReceiptHop } from '@/lib/client/receipts/judge-receipt';
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, MessageSquareQuote } from 'lucide-react';

const OUTCOMES: Record<ReceiptHop['outcome'], { Icon: LucideIcon; ink: string }> = {
  proven: { Icon: CircleCheck, ink: 'text-good' },
  stated: { Icon: MessageSquareQuote, ink: 'text-dim' },
  unchecked: { Icon: CircleDashed, ink: 'text-dim' },
  refused: { Icon: CircleX, ink: 'text-bad' },
};

/** Lists what a receipt proves and does not prove. */
export function ReceiptVerdict({ judged: { isRefused, hops } }: { judged: JudgedReceipt }) {
  return (
    <section aria-label={words.title} className="grid gap-3">
      <p role={isRefused ? 'alert' : 'status'} className={cn('text-lg font-semibold', isRefused && 'text-bad')}>
        {isRefused ? words.refused : words.held}
      </p>
      <ul className="divide-y divide-line rounded-md border border-line">
        {hops.map(({ hop, outcome, text }) => {
          const { Icon, ink } = OUTCOMES[outcome];
          return (
            <li key={hop} data-hop={hop} data-outcome={outcome} className="flex gap-2.5 px-3 py-2 text-sm">
              <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', ink)} />
              <div className="grid min-w-0 gap-0.5">
                <p>
                  <span className="font-medium">{words.hops[hop]}</span>{' '}
                  <span className={ink}>{words.outcomes[outcome]}</span>
                </p>
                <p className="wrap-anywhere text-dim">{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
