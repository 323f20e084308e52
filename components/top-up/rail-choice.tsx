'use client';

import { TokenMark } from '@/components/marks/token-mark';
import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/class-names';
import { HeldChoice } from '@/components/ui/held-choice';
import { Skeleton } from '@/components/ui/skeleton';
import { isOnOtherChain, isWalletsOwn, type PayRail } from '@/lib/browser/top-up/pay-rails';
import { formatUnits } from '@/lib/browser/top-up/usd-amount';
import { useTokenBalance } from '@/lib/browser/top-up/use-token-balance';
import { useWalletChain } from '@/lib/browser/wallet/use-wallet-chain';
import { shortAddress } from '@/lib/browser/wallet/wallet-address';
import { useWallets } from '@/lib/browser/wallet/wallet-store';
import { topUpWords } from '@/lib/browser/words/top-up';
import { useId } from 'react';

const words = topUpWords.rails;

interface RailChoiceProps {
  rails: readonly PayRail[];
  /** CAIP-2 id. */
  chosen: string;
  disabled: boolean;
  onChoose: (network: string) => void;
}

/** Lists the chains to pay on, with the connected wallets' tokens on each. */
export function RailChoice({ rails, chosen, disabled, onChoose }: RailChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid" aria-disabled={disabled}>
      <legend className="mb-2 text-sm font-medium">{words.legend}</legend>
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
  // A wallet that would switch to the real chain instead of the simulated one cannot pay on this rail.
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
        className="size-4 shrink-0 accent-amber outline-none"
      />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TokenMark symbol={rail.symbol} className="text-dim" />
          <span className="font-medium">{rail.title}</span>
          {rail.isStandIn && !isOwnChain && <Badge>{words.standIn}</Badge>}
        </span>
        <span className="truncate text-xs text-dim">
          {wallet === null ? (
            rail.family === 'evm' ? (
              words.anyEvm
            ) : (
              words.anySolana
            )
          ) : isOutOfReach ? (
            words.outOfReach
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
        {formatUnits(data, rail.decimals)} <span className="text-dim">{rail.symbol}</span>
      </span>
    );
  }
  if (isError) return <span className="shrink-0 text-xs text-faint">{words.balanceNotKnown}</span>;
  return isEnabled ? <Skeleton className="h-3 w-20 shrink-0" /> : null;
}
