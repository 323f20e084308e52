import type { PageRequest } from '../samples/http-request';

/**
 * Requests of the Top up page about a wallet's balance. A payment needs a wallet's signature and cannot be a shell
 * command.
 */
export function topUpRequests(address: string | null): readonly PageRequest[] {
  const wallet = address ?? '<WALLET_ADDRESS>';
  return [
    { name: 'The prepaid balance of the wallet', verb: 'GET', path: `/api/v1/x402/balance/${wallet}` },
    { name: 'The history of the wallet', verb: 'GET', path: `/api/v1/x402/transactions/${wallet}?limit=20&offset=0` },
  ];
}
