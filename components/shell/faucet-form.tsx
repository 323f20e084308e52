'use client';

import { Button } from '@/components/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { classifyFailure } from '@/lib/browser/call-failure';
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
      <DialogContent title="Faucet" description="Sends test funds to an EVM address on sandbox-testnet and on every chain that is already running.">
        <FaucetForm chainCount={sandbox.evm.length} />
      </DialogContent>
    </Dialog>
  );
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function FaucetForm({ chainCount }: { chainCount: number }) {
  const id = useId();
  const [address, setAddress] = useState('');
  const [showProblem, setShowProblem] = useState(false);
  const faucet = useFaucet();
  const problem = EVM_ADDRESS.test(address) ? null : 'An EVM address is 0x and 40 hexadecimal digits.';
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
          placeholder="0x…"
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
      {faucet.isSuccess && <Notice tone="info" title={`Funded ${faucet.variables}`}>It can pay for transactions on sandbox-testnet{chainCount > 1 ? ' and on the chains that are running' : ''} now.</Notice>}
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
