'use client';

import { notePaymentView, type TrackedPayment } from '@/components/top-up/tracked-payments';
import { useResumedPayments } from '@/components/top-up/use-resumed-payments';
import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { uiWords } from '@/components/ui/words';
import { pageElement } from '@/lib/browser/page/navigation';
import { formatBalance } from '@/lib/browser/text/amounts';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import { Check, CircleAlert, X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { shellDialogWords } from './dialog-words';
import { FocusKeeper } from './focus-keeper';

/**
 * Restores focus and scroll positions, and tracks payments.
 * @param from URL path of the page that was shown first
 * @param path target and ancestors of the user's first input event
 */
export function Keepers({ from, path }: { from: string; path: readonly EventTarget[] }) {
  return (
    <>
      <FocusKeeper path={path} />
      <ScrollKeeper from={from} />
      <PaymentKeeper />
    </>
  );
}

/**
 * Starts every page at its top or its fragment. The router cannot scroll here, because the scroll container is not the
 * window.
 */
function ScrollKeeper({ from }: { from: string }) {
  const path = usePathname();
  const shown = useRef(from);
  useEffect(() => {
    if (shown.current !== path && window.location.hash === '') pageElement()?.scrollTo(0, 0);
    shown.current = path;
  }, [path]);
  return null;
}

const words = shellDialogWords.payments;

/** Time for which a notice stays, long enough to read two lines. */
const STAYS_MS = 15_000;

/** Page that tracks payments itself. */
const TOP_UP = '/top-up';

function PaymentKeeper() {
  const { payments } = useResumedPayments();
  const path = usePathname();
  const ended = payments.find(
    ({ progress, isShown, isSeen }) =>
      !isShown && !isSeen && progress.status !== 'sending' && progress.status !== 'pending',
  );
  if (ended === undefined || path === TOP_UP) return null;
  return <EndedPayment key={ended.kept.id} payment={ended} />;
}

/**
 * Shows the outcome of a payment. A success disappears unless focus or the pointer is on the notice. Other outcomes
 * stay until the user handles them.
 */
function EndedPayment({ payment: { kept, progress } }: { payment: TrackedPayment }) {
  const isCredited = progress.status === 'credited';
  const Icon = isCredited ? Check : CircleAlert;
  const amount = `${kept.amount} ${kept.symbol}`;
  const [isHeld, setIsHeld] = useState(false);
  const { id } = kept;
  const close = () => notePaymentView(id, { isSeen: true });
  useEffect(() => {
    if (!isCredited || isHeld) return;
    const timer = setTimeout(() => notePaymentView(id, { isSeen: true }), STAYS_MS);
    return () => clearTimeout(timer);
  }, [isCredited, isHeld, id]);
  return (
    <section
      aria-label={words.label}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="fixed top-24 right-3 z-40 flex w-[min(26rem,calc(100vw-24px))] animate-appear items-start gap-3 rounded-md border border-line bg-raised p-3 text-sm shadow-overlay"
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isCredited ? 'text-good' : 'text-amber-ink'}`} />
      <div className="grid min-w-0 flex-1 justify-items-start gap-2">
        <div role="alert">
          <p className="font-medium">
            {isCredited
              ? words.credited(amount)
              : progress.status === 'refused'
                ? words.refused(amount)
                : words.stopped(amount)}
          </p>
          <p className="text-dim">
            {isCredited
              ? words.balanceIs(shortAddress(kept.payer), formatBalance(progress.outcome.newBalanceUsd))
              : progress.status === 'refused'
                ? progress.outcome.message
                : words.isKept}
          </p>
        </div>
        <Button asChild size="sm">
          <PageLink href={TOP_UP} onClick={close}>
            {isCredited ? words.seeReceipt : words.see}
          </PageLink>
        </Button>
      </div>
      <Button tone="quiet" size="iconSm" aria-label={uiWords.close} onClick={close} className="-mt-1 -mr-1">
        <X aria-hidden />
      </Button>
    </section>
  );
}
