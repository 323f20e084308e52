'use client';

import { onDemand } from '@/components/ui/on-demand';
import { useCredentialChoice } from '@/lib/browser/credential';
import { useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { accountQuestionOf } from '@/lib/browser/who-pays';

const AccountQuestionDialog = onDemand(
  () => import('./account-question-dialog').then((module) => module.AccountQuestionDialog),
  { floats: true },
);

/**
 * After the wallet has switched away from the paying account, asks which account pays. The payment method stays until
 * the user answers.
 */
export function AccountQuestion() {
  const choice = useCredentialChoice();
  const question = accountQuestionOf(choice, useConnectedWallets());
  return question === null ? null : <AccountQuestionDialog key={question.account.address} question={question} />;
}
