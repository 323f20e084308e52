'use client';

import { FundButton } from '@/components/wallet/fund-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
import { fundedAmounts } from '@/lib/browser/faucet-receipt';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { walletKey } from '@/lib/protocol/wallet-address';
import { AddNetwork } from './add-network';
import { useFaucet } from '@/lib/browser/sandbox';
import type { SandboxInfo } from '@/lib/client';
import { Droplet } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

/** Opens the faucet: test funds for an address. */
export function FaucetButton({ sandbox }: { sandbox: SandboxInfo }) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button tone="quiet" size="sm" className="text-ink">
          <Droplet aria-hidden />
          Faucet
        </Button>
      </DialogTrigger>
      <DialogContent title="Faucet" description="Sends test funds to an Ethereum or Solana address: coin for fees, TPK and TOLL to stake, USDC to pay with.">
        <ConnectedFunds />
        <FaucetForm hasSolana={sandbox.solana !== null} />
        <div className="border-t border-line pt-4">
          <AddNetwork sandbox={sandbox} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** One click where wallets are connected. */
function ConnectedFunds() {
  const { evm, solana } = useWallets();
  if (evm === null && solana === null) return null;
  return <FundButton label={evm !== null && solana !== null ? 'Fund both connected wallets' : 'Fund the connected wallet'} />;
}

function FaucetForm({ hasSolana }: { hasSolana: boolean }) {
  const id = useId();
  const [address, setAddress] = useState('');
  const [showProblem, setShowProblem] = useState(false);
  const faucet = useFaucet();
  const problem = walletKey(address) !== null ? null : address.startsWith('0x') || !hasSolana ? 'An EVM address is 0x and 40 hexadecimal digits.' : 'An address is 0x and 40 hexadecimal digits, or 32 to 44 base58 characters for Solana.';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(problem !== null);
    if (problem === null) faucet.mutate(address);
  };
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <Field label="Address" htmlFor={id} message={showProblem ? problem : null}>
        <Input
          id={id}
          value={address}
          placeholder={hasSolana ? '0x… or a Solana address' : '0x…'}
          className="figures"
          aria-invalid={showProblem && problem !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => setAddress(event.target.value.trim())}
        />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="submit" tone="primary" disabled={faucet.isPending}>
          {faucet.isPending ? 'Sending…' : 'Send test funds'}
        </Button>
        <span className="text-xs text-faint">Worth nothing outside this machine.</span>
      </div>
      {faucet.isError && <FaucetProblem error={faucet.error} />}
      {faucet.isSuccess && <Notice tone="info" title={`Funded ${faucet.variables}`}>It received {fundedAmounts(faucet.data).join(', ')}.</Notice>}
    </form>
  );
}

function FaucetProblem({ error }: { error: Error }) {
  const failure = classifyFailure(error);
  return (
    <Notice tone="bad" title={error.message}>
      {failure.kind === 'refused' ? failure.error.detail.hint : 'Check that the gateway is running, then send again.'}
    </Notice>
  );
}
