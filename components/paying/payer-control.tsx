'use client';

import { Button } from '@/components/ui/button';
import { onDemand } from '@/components/ui/on-demand';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { Skeleton } from '@/components/ui/skeleton';
import { type Credential, useCredential, useCredentialChoice, maskSecret } from '@/lib/browser/credential/credential';
import { accountQuestionOf } from '@/lib/browser/credential/who-pays';
import { payerPanel } from '@/lib/browser/page/opened';
import { useIsWalletOfUse } from '@/lib/browser/reads/settings';
import { formatBalance } from '@/lib/browser/text/amounts';
import { sameAddress, shortAddress, useConnectedWallets, useWallets } from '@/lib/browser/wallet/wallet-store';
import { CircleAlert, KeyRound, LoaderCircle, Wallet, WalletCards } from 'lucide-react';
import { payerWords } from './payer-words';
import { useBalance } from './use-balance';

const PayerPanel = onDemand(() => import('./payer-panel').then((module) => module.PayerPanel), {
  waiting: <Skeleton className="h-72" />,
});

/** Shows payment method, balance and wallets in one control. */
export function PayerControl() {
  const credential = useCredential();
  const { choosing, layer } = useWallets();
  const isLoadingWallets = choosing !== null && layer === null;
  const close = () => payerPanel.set(false);
  const isMissing = credential.kind === 'none' || credential.kind === 'signed-out';
  return (
    <Popover open={payerPanel.use()} onOpenChange={payerPanel.set}>
      <PopoverTrigger asChild>
        {/* Fixed width, so that adjacent controls do not move when a balance arrives. */}
        <Button
          className="min-w-0 px-2.5 sm:w-64 sm:justify-start"
          aria-busy={isLoadingWallets}
          onPointerEnter={PayerPanel.preload}
          onFocus={PayerPanel.preload}
          title={payerWords.title}
        >
          {isLoadingWallets ? (
            <LoaderCircle aria-hidden className="animate-spin text-dim" />
          ) : (
            <PayerIcon kind={credential.kind} />
          )}
          {isMissing ? null : <span className="sr-only">{payerWords.pays} </span>}
          {credential.kind === 'pending' ? (
            <Skeleton className="h-3 w-16" />
          ) : (
            <PayerName credential={credential} />
          )}{' '}
          <Amount isMissing={isMissing} />
          <IdleWallets credential={credential} />
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={payerWords.name}
        focusAfter={payerPanel.focusAfter}
        focusWhole
        className="grid w-[min(24rem,calc(100vw-16px))] gap-4 p-4"
      >
        <PayerPanel credential={credential} onDone={close} />
      </PopoverContent>
    </Popover>
  );
}

function PayerIcon({ kind }: { kind: Credential['kind'] }) {
  // A missing payment method is normal on a first visit, so the icon is not amber.
  if (kind === 'none') return <WalletCards aria-hidden className="text-dim" />;
  if (kind === 'signed-out') return <CircleAlert aria-hidden className="text-amber-ink" />;
  const Icon = kind === 'wallet' ? WalletCards : KeyRound;
  return <Icon aria-hidden className="text-amber-ink" />;
}

function PayerName({ credential }: { credential: Credential }) {
  const [before, after] = useIsWalletOfUse() ? payerWords.chooseParts : payerWords.addKeyParts;
  if (credential.kind === 'none') {
    return (
      <span className="truncate max-sm:inline-block max-sm:first-letter:uppercase">
        <span className="max-sm:sr-only">{before} </span>
        {after}
      </span>
    );
  }
  return (
    <span className="truncate max-sm:sr-only">
      {credential.kind === 'wallet' && `${payerWords.wallet} `}
      <span className={credential.kind === 'wallet' ? 'figures text-xs' : undefined}>{nameOf(credential)}</span>
    </span>
  );
}

function IdleWallets({ credential }: { credential: Credential }) {
  const idle = useConnectedWallets().filter(
    ({ address }) => credential.kind !== 'wallet' || !sameAddress(address, credential.address),
  );
  if (idle.length === 0) return null;
  return (
    <span className="flex items-center gap-1 border-l border-line pl-2 text-xs text-dim">
      <Wallet aria-hidden className="size-3.5" />
      <span className="sr-only">{payerWords.wallets(idle.map(({ address }) => shortAddress(address)))}</span>
      {idle.length > 1 && <span aria-hidden>{idle.length}</span>}
    </span>
  );
}

function Amount({ isMissing }: { isMissing: boolean }) {
  const { balance, totalUsd, error } = useBalance();
  if (isMissing) return null;
  if (balance === null || totalUsd === null) return error === null ? null : <span className="text-xs text-dim">–</span>;
  return (
    <span className={`figures text-xs sm:ml-auto ${balance.canConsume ? 'text-dim' : 'text-bad'}`}>
      {formatBalance(totalUsd)}
    </span>
  );
}

function nameOf(credential: Credential): string {
  switch (credential.kind) {
    case 'own':
      return maskSecret(credential.apiKey);
    case 'demo':
      return payerWords.demoKey;
    case 'wallet':
      return shortAddress(credential.address);
    case 'signed-out':
      return payerWords.signInAgain;
    case 'none':
    case 'pending':
      return '';
  }
}

const AccountQuestionDialog = onDemand(
  () => import('./account-question-dialog').then((module) => module.AccountQuestionDialog),
  { floats: true },
);

/**
 * Asks which account pays if the wallet has switched away from the paying account. The payment method stays until the
 * user answers.
 */
export function AccountQuestion() {
  const choice = useCredentialChoice();
  const question = accountQuestionOf(choice, useConnectedWallets());
  return question === null ? null : <AccountQuestionDialog key={question.account.address} question={question} />;
}
