'use client';

import { RailMark } from '@/components/marks/rail-mark';
import { TokenMark } from '@/components/marks/token-mark';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Field, Input } from '@/components/ui/field';
import { HeldChoice } from '@/components/ui/held-choice';
import { onDemand } from '@/components/ui/on-demand';
import { Skeleton } from '@/components/ui/skeleton';
import { useCredential, maskSecret } from '@/lib/browser/credential/credential';
import { usePricePerCredit } from '@/lib/browser/reads/price';
import { formatCost } from '@/lib/browser/text/amounts';
import { formatUnits, isOnOtherChain, isWalletsOwn, type PayRail } from '@/lib/browser/wallet/pay-rails';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import { chooseWallet, shortAddress, useWallets } from '@/lib/browser/wallet/wallet-store';
import { ArrowRight, Wallet } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTokenBalance } from './token-balance';
import { readUsdAmount } from './usd-amount';
import { type PayState, type PayWish, usePaymentTerms } from './use-pay';
import { topUpWords } from './words';

const DraftProblem = onDemand(() => import('./draft-problem').then((module) => module.DraftProblem));
const WalletNeeds = onDemand(() => import('./wallet-needs').then((module) => module.WalletNeeds), {
  waiting: <p className="h-5" />,
});

const words = topUpWords.form;

interface PayFormProps {
  rails: readonly PayRail[];
  rail: PayRail;
  onRail: (network: string) => void;
  amount: string;
  onAmount: (text: string) => void;
  state: Extract<PayState, { step: 'form' | 'drafting' } | { at: 'draft' }>;
  onReview: (wish: PayWish) => void;
}

export function PayForm({ rails, rail, onRail, amount, onAmount, state, onReview }: PayFormProps) {
  const wallet = useWallets()[rail.family];
  const minimumUnits = usePaymentTerms(rail);
  const [showProblem, setShowProblem] = useState(false);
  const typed = readUsdAmount(amount, { decimals: rail.decimals, minimumUnits });
  const { data: balance, isEnabled, error } = useTokenBalance(rail, wallet);
  const lacks = typed.ok && balance !== undefined && balance < typed.units;
  const isElsewhere = wallet !== null && isOnOtherChain(rail, wallet);
  const isDrafting = state.step === 'drafting';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowProblem(!typed.ok);
    if (typed.ok && wallet !== null && !isElsewhere && !lacks)
      onReview({ rail, wallet, usd: typed.usd, units: typed.units });
  };
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5">
      <AmountField
        value={amount}
        minimum={formatUnits(minimumUnits, rail.decimals)}
        problem={showProblem && !typed.ok ? typed.sentence : null}
        usd={typed.ok ? Number(typed.usd) : null}
        disabled={isDrafting}
        onChange={onAmount}
      />
      <RailChoice rails={rails} chosen={rail.network} disabled={isDrafting} onChoose={onRail} />
      {state.step === 'failed' && <DraftProblem error={state.error} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {wallet === null ? (
          <Button tone="primary" className="max-sm:w-full" onClick={() => chooseWallet('connect')}>
            <Wallet aria-hidden />
            {rail.family === 'evm' ? words.connectEvm : words.connectSolana}
          </Button>
        ) : (
          <Button type="submit" tone="primary" className="max-sm:w-full" disabled={isDrafting || lacks || isElsewhere}>
            {isDrafting
              ? words.preparing
              : typed.ok
                ? words.reviewAmount(`${formatUnits(typed.units, rail.decimals)} ${rail.symbol}`)
                : words.review}
            <ArrowRight aria-hidden />
          </Button>
        )}
        {wallet !== null && !isElsewhere && !lacks && (
          <p className="min-h-5 text-sm text-dim">
            {balance !== undefined
              ? typed.ok && words.leaves(formatUnits(balance - typed.units, rail.decimals), rail.symbol)
              : isEnabled && error === null && words.looksUp}
          </p>
        )}
      </div>
      {/* Below the button, so that the button does not move when the chain reports the wallet's tokens. */}
      {wallet !== null && (isElsewhere || lacks) && <WalletNeeds rail={rail} wallet={wallet} balance={balance} />}
      <PaidNow />
    </form>
  );
}

/** Warns the customer that a top-up does not go to the API key that pays for calls. */
function PaidNow() {
  const credential = useCredential();
  if (credential.kind !== 'demo' && credential.kind !== 'own') return null;
  return (
    <p className="text-xs text-dim">
      {words.paidNow(credential.kind === 'demo' ? words.demoKey : words.yourKey(maskSecret(credential.apiKey)))}
    </p>
  );
}

const amountWords = topUpWords.amount;

const PRESETS = ['5', '10', '25', '50'] as const;
/** Credits for an eth_call on Ethereum, Base and most other networks (spec, RPC rule 4). */
const CALL_CREDITS = 20;

interface AmountFieldProps {
  value: string;
  /** Such as `5.00`. */
  minimum: string;
  problem: string | null;
  /** Null for an invalid amount. */
  usd: number | null;
  disabled: boolean;
  onChange: (text: string) => void;
}

function AmountField({ value, minimum, problem, usd, disabled, onChange }: AmountFieldProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-2" aria-disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{amountWords.legend}</legend>
      <div className="grid grid-cols-4 gap-2">
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            disabled={disabled}
            aria-pressed={value.trim() === preset}
            className="figures aria-pressed:border-amber aria-pressed:bg-amber-soft aria-pressed:text-amber-ink"
            onClick={() => onChange(preset)}
          >
            {preset}
          </Button>
        ))}
      </div>
      <Field label={amountWords.another} hint={amountWords.from(minimum)} htmlFor={id} message={problem}>
        <Input
          id={id}
          value={value}
          disabled={disabled}
          inputMode="decimal"
          className="figures"
          aria-invalid={problem !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <Buys usd={usd} />
    </fieldset>
  );
}

function Buys({ usd }: { usd: number | null }) {
  const price = usePricePerCredit();
  const calls = usd !== null && price > 0 ? Math.floor((usd * 1e9) / (price * CALL_CREDITS)) : null;
  const callCost = formatCost(((price * CALL_CREDITS) / 1e9).toFixed(9));
  return (
    <p className="text-xs text-dim">
      {calls === null ? amountWords.callCosts(callCost) : amountWords.buysCalls(calls, callCost)}
    </p>
  );
}

const railWords = topUpWords.rails;

interface RailChoiceProps {
  rails: readonly PayRail[];
  /** CAIP-2 id. */
  chosen: string;
  disabled: boolean;
  onChoose: (network: string) => void;
}

function RailChoice({ rails, chosen, disabled, onChoose }: RailChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid" aria-disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{railWords.legend}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
        {rails.map((rail) => (
          <RailOption
            key={rail.network}
            rail={rail}
            name={name}
            isChosen={rail.network === chosen}
            disabled={disabled}
            onChoose={() => onChoose(rail.network)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function RailOption({
  rail,
  name,
  isChosen,
  disabled,
  onChoose,
}: {
  rail: PayRail;
  name: string;
  isChosen: boolean;
  disabled: boolean;
  onChoose: () => void;
}) {
  const wallet = useWallets()[rail.family];
  const { chain } = useWalletChain();
  const isOwnChain = rail.chainId === chain.id;
  // A wallet cannot pay on this rail if it would switch to the real chain instead of the simulated chain.
  const isOutOfReach = wallet !== null && isOnOtherChain(rail, wallet) && !isWalletsOwn(rail, chain.id);
  return (
    <label
      className={cn(
        'flex min-h-12 items-center gap-3 px-3 py-2 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-amber-ink',
        isChosen ? 'bg-amber-soft' : 'hover:bg-hover',
      )}
    >
      <HeldChoice
        type="radio"
        name={name}
        checked={isChosen}
        disabled={disabled}
        onChange={onChoose}
        className="size-4 shrink-0 outline-none"
      />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <RailMark slug={rail.rpcNetwork} className="text-dim" />
          <span className="font-medium">{rail.title}</span>
          {rail.isStandIn && !isOwnChain && <Badge>{railWords.standIn}</Badge>}
        </span>
        <span className="truncate text-xs text-dim">
          {wallet === null ? (
            rail.family === 'evm' ? (
              railWords.anyEvm
            ) : (
              railWords.anySolana
            )
          ) : isOutOfReach ? (
            railWords.outOfReach
          ) : (
            <>
              {wallet.walletName} <span className="figures">{shortAddress(wallet.address)}</span>
            </>
          )}
        </span>
      </span>
      {wallet !== null && !isOutOfReach && <RailBalance rail={rail} />}
    </label>
  );
}

function RailBalance({ rail }: { rail: PayRail }) {
  const wallet = useWallets()[rail.family];
  const { data, isError, isEnabled } = useTokenBalance(rail, wallet);
  if (data !== undefined) {
    return (
      <span className="figures shrink-0 text-right text-xs">
        {formatUnits(data, rail.decimals)}{' '}
        <TokenMark symbol={rail.symbol} className="mb-0.5 inline size-3.5 text-dim" />{' '}
        <span className="text-dim">{rail.symbol}</span>
      </span>
    );
  }
  if (isError) return <span className="shrink-0 text-xs text-faint">{railWords.balanceNotKnown}</span>;
  return isEnabled ? <Skeleton className="h-3 w-20 shrink-0" /> : null;
}
