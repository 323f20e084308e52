import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { expect, it } from 'vitest';
import { ensureWalletAccount } from '../../db/wallets';
import { nodeListener } from '../../http/node-adapter';
import { serve, testGateway } from '@/test/test-gateway';

const ORIGIN = 'https://gateway.example';
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

it.each(['balance', 'transactions'])(
  'GET /x402/%s says once that it needs a sign-in, with a key and without one',
  async (path) => {
    const { origin } = await serve(nodeListener(await testGateway()));
    const presented: Record<string, string>[] = [{}, { authorization: 'Bearer tpk_some_key' }];
    for (const headers of presented) {
      const response = await fetch(`${origin}/api/v1/x402/${path}/${WALLET}`, { headers });
      const hint = 'Sign in with the wallet that owns the money. This endpoint accepts no API keys.';
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Turnpike"']);
      expect(await response.json()).toMatchObject({
        code: 'UNAUTHORIZED',
        hint,
        error: `This endpoint needs a wallet sign-in, and the SIGN-IN-WITH-X header is missing. ${hint}`,
      });
    }
  },
);

it.each(['', '?x402Version=1'])(
  'POST /x402/top-up%s without a payment says how to authenticate, as every 402 does',
  async (query) => {
    const { origin } = await serve(nodeListener(await testGateway()));
    const response = await fetch(`${origin}/api/v1/x402/top-up${query}`, { method: 'POST' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([402, 'Bearer realm="Turnpike"']);
    expect(response.headers.get('payment-required')).not.toBeNull();
  },
);

/** Serves a gateway. Returns a new wallet and a function that asks for its transactions. */
async function walletOfGateway() {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const gateway = await testGateway({ PUBLIC_URL: ORIGIN });
  const { origin } = await serve(nodeListener(gateway));
  const issuedAt = new Date();
  const message = createSiweMessage({
    address: wallet.address,
    domain: 'gateway.example',
    uri: ORIGIN,
    version: '1',
    chainId: 8453,
    nonce: '0123456789abcdef',
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + 600_000),
  });
  const payload = {
    address: wallet.address,
    message,
    signature: await wallet.signMessage({ message }),
    timestamp: issuedAt.getTime(),
    chainId: 8453,
  };
  const page = (query: string, address: string = wallet.address) =>
    fetch(`${origin}/api/v1/x402/transactions/${address}?${query}`, {
      headers: { 'sign-in-with-x': Buffer.from(JSON.stringify(payload)).toString('base64') },
    });
  return { gateway, wallet, page };
}

it('GET /x402/transactions pages to any offset, with an empty page beyond the end', async () => {
  const { wallet, page } = await walletOfGateway();
  for (const offset of [10_000, 10_001, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    const response = await page(`offset=${offset}`);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        success: true,
        data: {
          walletAddress: wallet.address.toLowerCase(),
          currentBalance: 0,
          transactions: [],
          pagination: { limit: 50, offset, hasMore: false },
        },
      },
    ]);
  }
  for (const query of ['offset=9007199254740992', 'offset=-1', 'offset=1.5', 'offset=1e3', 'limit=101', 'limit=0'])
    expect([query, (await page(query)).status]).toEqual([query, 400]);
  const refused = await page('offset=0', WALLET);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    {
      error:
        'A wallet can read only its own balance and transactions. Sign in with the wallet whose address is in the path.',
    },
  ]);
});

it('GET /x402/transactions names the whole id of a model, and none for other resources', async () => {
  const { gateway, wallet, page } = await walletOfGateway();
  const accountId = await ensureWalletAccount(gateway.db, wallet.address);
  const row = { account_id: accountId, pot: 'x402', api_key_id: null, detail: '', units: 1, request_id: 'r' } as const;
  for (const [at, resource] of ['chat/meta/llama-4/fast', 'speech/kokoro', 'rpc/base-mainnet', 'refund'].entries())
    await gateway.db
      .insertInto('ledger')
      .values({ ...row, kind: 'CHARGE', amount: -1, balance_after: 9 - at, resource, created_at: at + 1 })
      .execute();
  const { data } = (await (await page('')).json()) as { data: { transactions: { modelId: string | null }[] } };
  expect(data.transactions.map(({ modelId }) => modelId)).toEqual([null, null, 'kokoro', 'meta/llama-4/fast']);
});
