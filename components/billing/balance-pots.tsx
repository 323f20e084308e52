'use client';

import { formatUsdNumber } from '@/lib/browser/amounts';
import { formatCountdown, useNow } from '@/lib/browser/clock';
import type { Balance } from '@/lib/client';

/** A balance by pot, in the order in which calls spend it, and when the allocation is new. */
export function BalancePots({ balance }: { balance: Balance }) {
  const { balances, x402Usd, consumptionCurrency } = balance;
  const pots = [
    { currency: 'DIEM', name: 'Daily allocation', usd: balances.diem },
    { currency: 'BUNDLED_CREDITS', name: 'Bundled credits', usd: balances.bundledCredits },
    { currency: 'USD', name: 'USD', usd: balances.usd },
    ...(x402Usd === undefined ? [] : [{ currency: 'X402', name: 'Prepaid by the wallet', usd: x402Usd }]),
  ];
  return (
    <div className="grid gap-3">
      <dl className="divide-y divide-line overflow-hidden rounded-md border border-line text-sm">
        {pots.map(({ currency, name, usd }) => (
          <div key={currency} className="flex items-center gap-3 px-3 py-2">
            <dt className="flex-1 text-dim">
              {name}
              {currency === consumptionCurrency && balance.canConsume && <span className="ml-2 text-xs text-amber-ink">next call</span>}
            </dt>
            <dd className="figures">{formatUsdNumber(usd)}</dd>
          </div>
        ))}
      </dl>
      <AllocationLine balance={balance} />
    </div>
  );
}

/** Today's allocation and when it refreshes. */
export function AllocationLine({ balance: { diemEpochAllocation, diemEpochEndsAt } }: { balance: Balance }) {
  const leftMs = Date.parse(diemEpochEndsAt) - useNow(1000);
  return (
    <p className="text-xs text-dim">
      {diemEpochAllocation > 0 ? (
        <>
          Today&apos;s allocation is <span className="figures">{formatUsdNumber(diemEpochAllocation)}</span>; it
        </>
      ) : (
        'No allocation is fixed for today; the next'
      )}{' '}
      {diemEpochAllocation > 0 ? 'is renewed' : 'comes'} in <span className="figures">{formatCountdown(leftMs)}</span>, at 00:00 UTC.
    </p>
  );
}
