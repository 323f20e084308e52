'use client';

import { Button } from '@/components/ui/button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { formatUsdNumber } from '@/lib/browser/amounts';
import { useBalance } from '@/lib/browser/billing/use-balance';
import { TOP_UP_PAGE } from '@/components/shell/console-pages';
import Link from 'next/link';
import { BalancePots } from './balance-pots';

/** What the credential in use has to spend, true after every call, and by pot on demand. */
export function BalanceButton() {
  const { balance, totalUsd, error } = useBalance();
  if (balance === null || totalUsd === null) return null;
  const shown = formatUsdNumber(Number(totalUsd.toFixed(6)));
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button tone="quiet" className="px-2" aria-label={`Balance: ${shown}`} title="Balance">
          <span className={`figures text-xs ${balance.canConsume ? 'text-ink' : 'text-bad'}`}>
            <span className="sm:hidden">{formatUsdNumber(Math.floor(totalUsd * 100) / 100)}</span>
            <span className="hidden sm:inline">{shown}</span>
          </span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Balance" className="grid w-[min(22rem,calc(100vw-16px))] gap-3 p-4">
        <p className="font-medium">Balance</p>
        <BalancePots balance={balance} />
        {error !== null && <p className="text-xs text-bad">The last reading failed: {error.message}</p>}
        <div className="flex gap-2">
          <Button asChild size="sm">
            <Link href="/usage">Usage</Link>
          </Button>
          {TOP_UP_PAGE !== null && (
            <Button asChild size="sm">
              <Link href={TOP_UP_PAGE}>Top up</Link>
            </Button>
          )}
        </div>
      </PopoverContent>
    </Popover>
  );
}
