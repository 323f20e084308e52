'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { FundButton } from '@/components/wallet/wallet-buttons';
import { classifyFailure } from '@/lib/browser/reads/gateway';
import { fundedAmounts, useFaucet } from '@/lib/browser/wallet/faucet';
import { useSwitchChain } from '@/lib/browser/wallet/use-switch-chain';
import { chooseWallet, useConnectedWallets, useWallets } from '@/lib/browser/wallet/wallet-store';
import type { SandboxInfo } from '@/lib/client';
import { walletKey } from '@/lib/protocol/wallet-address';
import { Plus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { shellDialogWords } from './dialog-words';

/** Funds the connected wallets, or a typed address, and adds the sandbox's chain to a wallet. */
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

const TESTNET = 'sandbox-testnet';

/** Adds the chain to MetaMask and similar wallets (EIP-3085), or shows the values to enter. */
function AddNetwork({ sandbox }: { sandbox: SandboxInfo }) {
  const { evm } = useWallets();
  const { addChain, isPending, isDone, problem, chainName } = useSwitchChain();
  const rpcUrl = `${window.location.origin}/api/sandbox/rpc/${TESTNET}`;
  const chainId = sandbox.evm.find(({ network }) => network === TESTNET)?.chainId;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          disabled={isPending}
          onClick={evm === null || evm.isDemo ? () => chooseWallet('connect') : addChain}
        >
          <Plus aria-hidden />
          {isPending
            ? shellDialogWords.addNetwork.asking
            : shellDialogWords.addNetwork.add(
                chainName,
                evm === null || evm.isDemo ? shellDialogWords.addNetwork.usualWallet : evm.walletName,
              )}
        </Button>
        {isDone && (
          <span role="status" className="text-xs text-good">
            {shellDialogWords.addNetwork.done(chainName)}
          </span>
        )}
        {problem !== null && (
          <span role="alert" className="text-xs text-bad">
            {problem}
          </span>
        )}
      </div>
      <p className="text-xs text-dim">
        {shellDialogWords.addNetwork.byHand} <span className="figures">{chainId}</span>
        {shellDialogWords.addNetwork.rpc} <code className="figures wrap-anywhere">{rpcUrl}</code>{' '}
        <CopyButton text={rpcUrl} label={shellDialogWords.addNetwork.copy} iconOnly className="size-6 align-middle" />
      </p>
    </div>
  );
}
