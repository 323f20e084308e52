import type { PageRequest } from '../samples/http-request';

/** What the Top up page asks of a wallet's balance. The payment itself only a wallet can sign, not a line of shell. */
export function topUpRequests(address: string | null): readonly PageRequest[] {
  const wallet = address ?? '<WALLET_ADDRESS>';
  return [
    { name: 'The prepaid balance of the wallet', verb: 'GET', path: `/api/v1/x402/balance/${wallet}` },
    { name: 'The history of the wallet', verb: 'GET', path: `/api/v1/x402/transactions/${wallet}?limit=20&offset=0` },
  ];
}
