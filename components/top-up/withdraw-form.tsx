'use client';

import { RailMark } from '@/components/marks/rail-mark';
import { SwitchChainButton } from '@/components/wallet/wallet-buttons';
import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { Field, Input } from '@/components/ui/field';
import type { WithdrawalDraft, WithdrawalTerms } from '@/lib/client';
import { isOnOtherChain, isWalletsOwn, type PayRail, formatUnits } from '@/lib/browser/wallet/pay-rails';
import { readUsdAmount } from './usd-amount';
import { draftWithdrawal } from './use-withdrawals';
import { useWalletChain } from '@/lib/browser/wallet/wallet-chain';
import type { ConnectedWallet } from '@/lib/browser/wallet/wallet-store';
import { withdrawalWords as words } from './withdrawal-words';
import { ArrowRight } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';

export interface Offer {
  terms: WithdrawalTerms;
  rail: PayRail;
}

interface WithdrawFormProps {
  wallet: ConnectedWallet;
  gateway: string;
  offers: readonly [Offer, ...Offer[]];
  onDraft: (draft: WithdrawalDraft, offer: Offer) => void;
}

/** Asks for the amount to withdraw. Shows the fee and the amount that arrives. */
export function WithdrawForm({ wallet, gateway, offers, onDraft }: WithdrawFormProps) {
  const id = useId();
  const [network, setNetwork] = useState('');
  const [text, setText] = useState('');
  const [isShown, setIsShown] = useState(false);
  const { chain } = useWalletChain();
  const offer = offers.find(({ terms }) => terms.network === network) ?? offers[0];
  const { terms, rail } = offer;
  const [withdrawable, minimum, fee] = [terms.withdrawable, terms.minimum, terms.fee].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const shown = (units: bigint): string => `${formatUnits(units, terms.decimals)} ${terms.symbol}`;
  const typed = readUsdAmount(text, {
    decimals: terms.decimals,
    minimumUnits: minimum > fee ? minimum : fee + 1n,
  });
  const problem = !typed.ok ? typed.sentence : typed.units > withdrawable ? words.tooMuch(shown(withdrawable)) : null;
  const isElsewhere = isOnOtherChain(rail, wallet);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsShown(true);
    if (typed.ok && problem === null && !isElsewhere)
      onDraft(draftWithdrawal(terms, { gateway, to: wallet.address, amount: typed.units }), offer);
  };
  return (
    <form onSubmit={submit} noValidate className="grid max-w-xl gap-3">
      {offers.length > 1 && (
        <Choices
          label={words.chain}
          values={offers.map(({ terms }) => terms.network)}
          chosen={offer.terms.network}
          nameOf={(each) => {
            const rail = offers.find(({ terms }) => terms.network === each)?.rail;
            return (
              rail && (
                <>
                  <RailMark slug={rail.rpcNetwork} /> {rail.title}
                </>
              )
            );
          }}
          onChoose={(each) => {
            setNetwork(each);
            setText('');
          }}
        />
      )}
      <Field
        label={words.amount(terms.symbol)}
        hint={words.bounds(shown(minimum), shown(withdrawable))}
        htmlFor={id}
        message={isShown ? problem : null}
      >
        <div className="flex gap-2">
          <Input
            id={id}
            value={text}
            inputMode="decimal"
            className="figures"
            aria-invalid={isShown && problem !== null}
            aria-describedby={`${id}-message`}
            onChange={(event) => setText(event.target.value)}
          />
          <Button onClick={() => setText(formatUnits(withdrawable, terms.decimals).replaceAll(',', ''))}>
            {words.max}
          </Button>
        </div>
      </Field>
      <p className="min-h-5 text-sm text-dim">
        {words.fee} <span className="figures">{shown(fee)}</span>
        {typed.ok && problem === null && (
          <>
            {' · '}
            {words.arrives} <span className="figures text-ink">{shown(typed.units - fee)}</span>
          </>
        )}
      </p>
      {isElsewhere && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-dim">
          {isWalletsOwn(rail, chain.id) ? (
            <>
              {words.otherChain(rail.title)} <SwitchChainButton chainId={rail.chainId} />
            </>
          ) : (
            words.wouldSignForReal(rail.title)
          )}
        </p>
      )}
      <Button type="submit" className="justify-self-start" disabled={isElsewhere}>
        {words.review}
        <ArrowRight aria-hidden />
      </Button>
    </form>
  );
}
