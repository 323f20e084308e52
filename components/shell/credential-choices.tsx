'use client';

import { WalletProblem } from '@/components/wallet/wallet-problem';
import { Button } from '@/components/ui/button';
import { useHasPassed } from '@/lib/browser/clock';
import { chooseCredential, type Credential, useOwnKey } from '@/lib/browser/credential';
import { maskSecret } from '@/lib/browser/secret';
import { useSandbox } from '@/lib/browser/sandbox';
import { useSignIns } from '@/lib/browser/wallet/sign-in-store';
import { useSignIn } from '@/lib/browser/wallet/use-sign-in';
import { sameAddress, shortAddress } from '@/lib/browser/wallet/wallet-address';
import { chooseWallet, type ConnectedWallet, useWallets } from '@/lib/browser/wallet/wallet-store';
import { KeyRound, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';

/** The other credentials at hand: connected wallets, a key that was entered, the sandbox's demo key. */
export function CredentialChoices({ credential, onChosen }: { credential: Credential; onChosen: () => void }) {
  const { evm, solana } = useWallets();
  const own = useOwnKey();
  const sandbox = useSandbox();
  const wallets = [evm, solana].flatMap((wallet) => (wallet === null || (credential.kind === 'wallet' && sameAddress(credential.address, wallet.address)) ? [] : [wallet]));
  const choose = (choice: Parameters<typeof chooseCredential>[0]) => () => {
    chooseCredential(choice);
    onChosen();
  };
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <p className="text-sm font-medium">Call with</p>
      {wallets.map((wallet) => (
        <WalletRow key={wallet.address} wallet={wallet} onChosen={onChosen} />
      ))}
      {evm === null && solana === null && (
        <Row icon={<Wallet aria-hidden className="size-4 text-dim" />} name="A wallet, without an account" action={<Button size="sm" onClick={() => { onChosen(); chooseWallet(); }}>Connect wallet</Button>} />
      )}
      {own !== null && credential.kind !== 'own' && (
        <Row icon={<KeyRound aria-hidden className="size-4 text-dim" />} name={<>Your key <code className="figures text-xs text-dim">{maskSecret(own.apiKey)}</code></>} action={<Button size="sm" onClick={choose(null)}>Use it</Button>} />
      )}
      {sandbox.data && credential.kind !== 'demo' && (
        <Row icon={<KeyRound aria-hidden className="size-4 text-dim" />} name="The demo key of this sandbox" action={<Button size="sm" onClick={choose({ kind: 'demo' })}>Use it</Button>} />
      )}
    </div>
  );
}

function WalletRow({ wallet, onChosen }: { wallet: ConnectedWallet; onChosen: () => void }) {
  const signIn = useSignIns().find(({ address }) => sameAddress(address, wallet.address));
  const hasEnded = useHasPassed(signIn?.expiresAtMs ?? null);
  const { start, isPending, error } = useSignIn();
  const holds = signIn !== undefined && !hasEnded;
  return (
    <>
      <Row
        icon={<Wallet aria-hidden className="size-4 text-dim" />}
        name={
          <>
            {wallet.walletName} <span className="text-dim">{wallet.family === 'evm' ? 'Ethereum' : 'Solana'}</span> <code className="figures text-xs text-dim">{shortAddress(wallet.address)}</code>
          </>
        }
        action={
          <Button size="sm" disabled={isPending} onClick={() => start(wallet, onChosen)}>
            {isPending ? 'Look at the wallet…' : holds ? 'Use it' : signIn === undefined ? 'Sign in' : 'Sign in again'}
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
