// Sends a call together with its payment, through @x402/fetch on Base: no key, no sign-in, no top-up.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const { TURNPIKE_URL = 'http://localhost:3000', WALLET_KEY } = process.env;
const post = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const wallet = privateKeyToAccount(WALLET_KEY ?? generatePrivateKey());
// In the sandbox, a faucet gives worthless USDC. For a live gateway, WALLET_KEY must have USDC on Base.
if (!WALLET_KEY) await fetch(`${TURNPIKE_URL}/api/sandbox/faucet`, post({ address: wallet.address }));

// By default, the client pays up to 1 USD per call in tokens that it knows. It does not know the sandbox's token. For a
// live gateway, omit spendControls.
const pay = wrapFetchWithPayment(
  fetch,
  x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(wallet) }],
    spendControls: false,
  }),
);
const response = await pay(
  `${TURNPIKE_URL}/api/v1/crypto/rpc/ethereum-mainnet`,
  post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }),
);
if (!response.ok) throw new Error(await response.text());
const { transaction } = JSON.parse(atob(response.headers.get('payment-response')));
console.log(
  `Block ${(await response.json()).result}, paid by ${transaction}; ${response.headers.get('x-balance-remaining')} USD are left for the next call.`,
);
