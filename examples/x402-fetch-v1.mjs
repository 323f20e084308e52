// Sends a call together with its payment, through x402-fetch 1.x, which supports x402 version 1.
import { createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';

const { TURNPIKE_URL = 'http://localhost:3000', WALLET_KEY } = process.env;
const post = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const account = privateKeyToAccount(WALLET_KEY ?? generatePrivateKey());
// In the sandbox, a faucet gives worthless USDC. For a live gateway, WALLET_KEY must have USDC on Base.
if (!WALLET_KEY) await fetch(`${TURNPIKE_URL}/api/sandbox/faucet`, post({ address: account.address }));

// x402-fetch reads only version 1 terms. Its default limit is 0.10 USD per call. The limit below is 1 USD, in base
// units.
const pay = wrapFetchWithPayment(
  fetch,
  createWalletClient({ account, chain: base, transport: http() }).extend(publicActions),
  1_000_000n,
);
const response = await pay(
  `${TURNPIKE_URL}/api/v1/crypto/rpc/base-mainnet?x402Version=1`,
  post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
);
if (!response.ok) throw new Error(await response.text());
console.log(
  `Block ${(await response.json()).result}; ${response.headers.get('x-balance-remaining')} USD are left for the next call.`,
);
