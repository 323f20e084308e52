import { readBalance } from '../../billing/usage/read-balance';
import { NO_ACCOUNT } from '../../auth/identify';
import { json } from '../../http/call';
import type { Endpoint } from '../../http/endpoint';
import { walletBalanceDocs } from './docs';
import { identifyOwnWallet } from './own-wallet';

/** GET /x402/balance/{walletAddress}: what a wallet has prepaid. By sign-in of that wallet. */
export const walletBalance: Endpoint = {
  path: '/api/v1/x402/balance/{walletAddress}',
  docs: { GET: walletBalanceDocs },
  GET: async (call, gateway) => {
    const { accountId, wallet } = await identifyOwnWallet(call, gateway);
    if (accountId !== NO_ACCOUNT) await gateway.allocations.ensure(accountId);
    const { pots } = await readBalance(gateway.db, accountId, gateway.now());
    const { minimumTopUpUsd, suggestedTopUpUsd } = gateway.rails;
    const data = { walletAddress: wallet, balanceUsd: pots.x402 / 1e9, canConsume: pots.x402 > 0, minimumTopUpUsd, suggestedTopUpUsd, diemBalanceUsd: pots.diem / 1e9 };
    return json({ success: true, data });
  },
};
