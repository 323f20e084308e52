import { NO_ACCOUNT } from '../../auth/identify';
import { identifyReader } from '../../auth/identify-reader';
import { type AccountBalance, readBalance } from '../../billing/usage/read-balance';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { epochAt, epochEnd } from '../../billing/rules/epoch';
import type { Purse } from '../../billing/meter';
import { billingBalanceDocs } from './docs';

/** GET /billing/balance: what the caller has, by pot, and today's allocation. */
export const billingBalance: Endpoint = {
  path: '/api/v1/billing/balance',
  docs: { GET: billingBalanceDocs },
  GET: async (call, gateway) => {
    const caller = await identifyReader(call, gateway);
    if (caller.accountId !== NO_ACCOUNT) await gateway.allocations.ensure(caller.accountId);
    const now = gateway.now();
    const balance = await readBalance(gateway.db, caller.accountId, now);
    const diemEpochEndsAt = new Date(epochEnd(epochAt(now))).toISOString();
    return json({ ...describe(balance, caller.purse), diemEpochEndsAt });
  },
};

function describe({ pots, allocation }: AccountBalance, purse: Purse) {
  const { diem, bundled, usd, x402 } = pots;
  const balances = { diem: diem / 1e9, bundledCredits: bundled / 1e9, usd: usd / 1e9 };
  if (purse === 'x402') {
    return { canConsume: x402 > 0, consumptionCurrency: 'X402', balances, diemEpochAllocation: allocation / 1e9, x402Usd: x402 / 1e9 };
  }
  const consumptionCurrency = diem > 0 ? 'DIEM' : bundled > 0 ? 'BUNDLED_CREDITS' : 'USD';
  return { canConsume: diem + bundled + usd > 0, consumptionCurrency, balances, diemEpochAllocation: allocation / 1e9 };
}
