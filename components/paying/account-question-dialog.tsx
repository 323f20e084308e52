'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { keepPayerBeside } from '@/lib/browser/credential/credential';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import { shortAddress } from '@/lib/browser/wallet/wallet-store';
import type { AccountQuestion } from '@/lib/browser/credential/who-pays';
import { payingWords } from './words';

/** Asks which of two accounts pays. If the user closes the dialog, the current account keeps paying. */
export function AccountQuestionDialog({ question: { payer, account } }: { question: AccountQuestion }) {
  const { start, isPending, error } = useSignIn();
  const keep = () => keepPayerBeside(account.address);
  return (
    <Dialog open onOpenChange={(open) => !open && keep()}>
      <DialogContent
        title={payingWords.account.title}
        description={payingWords.account.switched(shortAddress(account.address), shortAddress(payer.address))}
      >
        {error !== null && <WalletProblem error={error} />}
        <div className="grid gap-2 sm:grid-cols-2">
          <Button onClick={keep}>
            <span>
              {payingWords.account.stay} <span className="figures">{shortAddress(payer.address)}</span>
            </span>
          </Button>
          <Button tone="primary" disabled={isPending} onClick={() => start(account)}>
            {isPending ? (
              payingWords.asking
            ) : (
              <span>
                {payingWords.account.change} <span className="figures">{shortAddress(account.address)}</span>
              </span>
            )}
          </Button>
        </div>
        <p className="text-xs text-dim">{payingWords.account.takes}</p>
      </DialogContent>
    </Dialog>
  );
}
