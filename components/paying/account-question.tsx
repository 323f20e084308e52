'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useCredentialChoice } from '@/lib/browser/credential';
import { useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { accountQuestionOf } from '@/lib/browser/who-pays';

const AccountQuestionDialog = onDemand(
  () => import('./account-question-dialog').then((module) => module.AccountQuestionDialog),
  { floats: true },
);

/** Asks which account pays, when the wallet has switched away from the one that does. Until then nothing changes. */
export function AccountQuestion() {
  const choice = useCredentialChoice();
  const question = accountQuestionOf(choice, useConnectedWallets());
  return question === null ? null : <AccountQuestionDialog key={question.account.address} question={question} />;
}
