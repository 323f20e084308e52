'use client';

import { BalancePots } from '@/components/billing/balance-pots';
import { TOP_UP_PAGE } from '@/components/shell/console-pages';
import { Button } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { statusOf } from '@/lib/browser/call-failure';
import type { Credential } from '@/lib/browser/credential';
import { useIsPageOffered } from '@/lib/browser/offers';
import { payingWords } from '@/lib/browser/words/paying';
import { CurrentPayer } from './current-payer';
import { KeyForm } from './key-form';
import { PayerChoices } from './payer-choices';

export function PayerPanel({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  return (
    <>
      <CurrentPayer credential={credential} onDone={onDone} />
      {credential.presented !== null && <WhatItHas isKey={credential.kind !== 'wallet'} onLeave={onDone} />}
      <PayerChoices credential={credential} onChosen={onDone} />
      <KeyForm onDone={onDone} />
    </>
  );
}

function WhatItHas({ isKey, onLeave }: { isKey: boolean; onLeave: () => void }) {
  const { balance, totalUsd, error } = useBalance();
  const isOffered = useIsPageOffered();
  return (
    <div className="grid gap-3">
      {balance !== null && <BalancePots balance={balance} />}
      {error !== null && (
        <p role="status" className="text-xs text-bad">
          {statusOf(error) === 401 ? error.message : payingWords.balanceUnread}
        </p>
      )}
      {isKey && totalUsd === 0 && <p className="text-xs text-dim">{payingWords.keysKeepApart}</p>}
      <div className="flex gap-2">
        <Button asChild size="sm">
          <PageLink href="/usage" onClick={onLeave}>
            {payingWords.usage}
          </PageLink>
        </Button>
        {TOP_UP_PAGE !== null && !isKey && isOffered(TOP_UP_PAGE) && (
          <Button asChild size="sm">
            <PageLink href={TOP_UP_PAGE} onClick={onLeave}>
              {payingWords.topUp}
            </PageLink>
          </Button>
        )}
      </div>
    </div>
  );
}
