'use client';

import { RailMark } from '@/components/marks/rail-mark';
import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { useHasPassed } from '@/lib/browser/page/clock';
import { chooseCredential, type Credential, useOwnKey, maskSecret } from '@/lib/browser/credential/credential';
import { useIsWalletOfUse, useSandbox } from '@/lib/browser/reads/settings';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/credential/use-sign-in';
import {
  chooseWallet,
  type ConnectedWallet,
  sameAddress,
  shortAddress,
  useConnectedWallets,
} from '@/lib/browser/wallet/wallet-store';
import { payingWords } from './words';
import { KeyRound, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';

/** Lists other payment methods: connected wallets, an entered key, the sandbox's demo key. */
export function PayerChoices({ credential, onChosen }: { credential: Credential; onChosen: () => void }) {
  const connected = useConnectedWallets();
  const own = useOwnKey();
  const sandbox = useSandbox();
  const isWalletOfUse = useIsWalletOfUse();
  const wallets = connected.filter(
    ({ address }) => credential.kind !== 'wallet' || !sameAddress(credential.address, address),
  );
  const choose = (choice: { kind: 'own' } | { kind: 'demo' }) => () => {
    chooseCredential(choice);
    onChosen();
  };
  return (
    <div className="grid gap-2 border-t border-line pt-4 empty:hidden">
      {(isWalletOfUse || connected.length > 0 || (own !== null && credential.kind !== 'own')) && (
        <h2 className="text-sm font-medium">
          {credential.presented === null ? payingWords.payWith : payingWords.payWithElse}
        </h2>
      )}
      {wallets.map((wallet) => (
        <WalletRow key={wallet.address} wallet={wallet} onChosen={onChosen} />
      ))}
      {(isWalletOfUse || connected.length > 0) && (
        <Row
          icon={<Wallet aria-hidden className="size-4 text-dim" />}
          name={connected.length === 0 ? payingWords.aWallet : payingWords.wallets}
          action={
            <Button
              size="sm"
              onClick={() => {
                onChosen();
                chooseWallet(connected.length === 0 ? 'pay' : 'any');
              }}
            >
              {connected.length === 0 ? payingWords.connectWallet : payingWords.manageWallets}
            </Button>
          }
        />
      )}
      {own !== null && credential.kind !== 'own' && (
        <Row
          icon={<KeyRound aria-hidden className="size-4 text-dim" />}
          name={
            <>
              {payingWords.yourKey} <code className="figures text-xs text-dim">{maskSecret(own.apiKey)}</code>
            </>
          }
          action={
            <Button size="sm" aria-label={payingWords.payWithYourKey} onClick={choose({ kind: 'own' })}>
              {payingWords.payWithIt}
            </Button>
          }
        />
      )}
      {sandbox.data && credential.kind !== 'demo' && (
        <Row
          icon={<KeyRound aria-hidden className="size-4 text-dim" />}
          name={payingWords.demoKey}
          action={
            <Button size="sm" aria-label={payingWords.payWithDemoKey} onClick={choose({ kind: 'demo' })}>
              {payingWords.payWithIt}
            </Button>
          }
        />
      )}
    </div>
  );
}

const CHAIN_MARKS = { evm: 'ethereum', solana: 'solana' } as const;

function WalletRow({ wallet, onChosen }: { wallet: ConnectedWallet; onChosen: () => void }) {
  const signIn = useSignIns().find(({ address }) => sameAddress(address, wallet.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const { start, isPending, error } = useSignIn();
  const holds = signIn !== undefined && !hasEnded;
  return (
    <>
      <Row
        icon={<RailMark slug={CHAIN_MARKS[wallet.family]} className="text-dim" />}
        name={
          <>
            {wallet.walletName} <span className="text-dim">{payingWords.family[wallet.family]}</span>{' '}
            <code className="figures text-xs text-dim">{shortAddress(wallet.address)}</code>
          </>
        }
        action={
          <Button size="sm" disabled={isPending} onClick={() => start(wallet, () => onChosen())}>
            {isPending ? payingWords.asking : holds ? payingWords.payWithIt : payingWords.signInToPay}
          </Button>
        }
      />
      {error !== null && <WalletProblem error={error} />}
    </>
  );
}

function Row({ icon, name, action }: { icon: ReactNode; name: ReactNode; action: ReactNode }) {
  return (
    <div className="flex items-center gap-2 text-sm">
      {icon}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {action}
    </div>
  );
}
