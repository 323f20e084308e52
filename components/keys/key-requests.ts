import { KEYS_PATH, MINT_PATH } from '@/lib/client';
import type { PageRequest } from '@/components/samples/http-request';

/** Example requests of the Keys page, with placeholders for values that only the wallet or an earlier step supplies. */
export function keyRequests(address: string | null): readonly PageRequest[] {
  return [
    { name: 'Mint a key, 1 of 2: get a token to sign', verb: 'GET', path: MINT_PATH, isPublic: true },
    {
      name: 'Mint a key, 2 of 2: send the signed token',
      verb: 'POST',
      path: MINT_PATH,
      isPublic: true,
      body: {
        address: address ?? '<WALLET_ADDRESS>',
        token: '<TOKEN>',
        signature: '<PERSONAL_SIGN_OF_TOKEN>',
        apiKeyType: 'INFERENCE',
        description: 'Laptop',
      },
    },
    { name: 'List the keys', verb: 'GET', path: `${KEYS_PATH}?limit=100` },
    {
      name: 'Bound a key',
      verb: 'PATCH',
      path: `${KEYS_PATH}?id=<KEY_ID>`,
      body: { allow: { endpoints: ['rpc'], networks: ['base-mainnet'] }, alert: { usd: 8 } },
    },
    { name: 'Revoke a key', verb: 'DELETE', path: `${KEYS_PATH}?id=<KEY_ID>` },
  ];
}
