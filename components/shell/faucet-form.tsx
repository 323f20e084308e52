'use client';

import { FundButton } from '@/components/wallet/fund-button';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
import { fundedAmounts } from '@/lib/browser/faucet-receipt';
import { useConnectedWallets } from '@/lib/browser/wallet/wallet-store';
import { walletKey } from '@/lib/protocol/wallet-address';
import { AddNetwork } from './add-network';
import { useFaucet } from '@/lib/browser/use-faucet';
import type { SandboxInfo } from '@/lib/client';
import { shellDialogWords } from '@/lib/browser/words/shell-dialogs';
import { type FormEvent, useId, useState } from 'react';

/**
 * Content of the faucet dialog: funds the connected wallets or any address, and adds the sandbox's chain to a wallet.
 */
export function FaucetForm({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <>
      <p className="text-sm text-dim">{shellDialogWords.faucet.meaning}</p>
      <ConnectedFunds />
      <AddressForm hasSolana={sandbox.solana !== null} />
      <div className="border-t border-line pt-4">
        <AddNetwork sandbox={sandbox} />
      </div>
    </>
  );
}

function ConnectedFunds() {
  const { length } = useConnectedWallets();
  if (length === 0) return null;
  return <FundButton label={length > 1 ? shellDialogWords.faucet.fundBoth : shellDialogWords.faucet.fundOne} />;
}

function AddressForm({ hasSolana }: { hasSolana: boolean }) {
  const id = useId();
  const [address, setAddress] = useState('');
  const [showProblem, setShowProblem] = useState(false);
  const faucet = useFaucet();
  const problem =
    walletKey(address) !== null
      ? null
      : address.startsWith('0x') || !hasSolana
        ? shellDialogWords.faucet.evmProblem
        : shellDialogWords.faucet.bothProblem;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(problem !== null);
    if (problem === null) faucet.mutate(address);
  };
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <Field label={shellDialogWords.faucet.address} htmlFor={id} message={showProblem ? problem : null}>
        <Input
          id={id}
          value={address}
          placeholder={hasSolana ? shellDialogWords.faucet.bothPlaceholder : shellDialogWords.faucet.evmPlaceholder}
          className="figures"
          aria-invalid={showProblem && problem !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => setAddress(event.target.value.trim())}
        />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" tone="primary" disabled={faucet.isPending}>
          {faucet.isPending ? shellDialogWords.faucet.sending : shellDialogWords.faucet.send}
        </Button>
        <span className="text-xs text-faint">{shellDialogWords.faucet.worth}</span>
      </div>
      {faucet.isError && <FaucetProblem error={faucet.error} />}
      {faucet.isSuccess && (
        <Notice tone="info" title={shellDialogWords.faucet.funded(faucet.variables)}>
          {shellDialogWords.faucet.received(fundedAmounts(faucet.data))}
        </Notice>
      )}
    </form>
  );
}

function FaucetProblem({ error }: { error: Error }) {
  const failure = classifyFailure(error);
  return (
    <Notice tone="bad" title={error.message}>
      {failure.kind === 'refused' ? failure.error.detail.hint : shellDialogWords.faucet.retry}
    </Notice>
  );
}
