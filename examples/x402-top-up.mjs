// Prepays USDC from a wallet through an official x402 client, signs in and spends some of it on a call.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { createSiweMessage } from 'viem/siwe';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const { TURNPIKE_URL = 'http://localhost:3000', WALLET_KEY } = process.env;
const BASE = 'eip155:8453';

const wallet = privateKeyToAccount(WALLET_KEY ?? generatePrivateKey());
// In the sandbox, a faucet gives worthless USDC. For a live gateway, WALLET_KEY must have USDC on Base.
if (!WALLET_KEY) await post('/api/sandbox/faucet', { address: wallet.address });

// The client sends a request, gets 402 with the terms, signs an EIP-3009 authorization and repeats the request. By
// default it pays at most 1 USD per payment.
const payer = x402Client.fromConfig({
  schemes: [{ network: BASE, client: new ExactEvmScheme(wallet) }],
  spendControls: false,
});
const topUp = await wrapFetchWithPayment(fetch, payer)(`${TURNPIKE_URL}/api/v1/x402/top-up?amountUsd=5`, {
  method: 'POST',
});
const { data, error } = await topUp.json();
if (!topUp.ok) throw new Error(`The top-up was refused: ${JSON.stringify(error)}`);
console.log(`${data.amountCredited} USD prepaid; the balance is ${data.newBalance} USD.`);

const call = await post(
  '/api/v1/crypto/rpc/ethereum-mainnet',
  { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' },
  { 'sign-in-with-x': await signIn() },
);
console.log(
  `Block ${(await call.json()).result} cost ${call.headers.get('x-service-rpc-cost-usd')} USD; ${call.headers.get('x-balance-remaining')} USD are left.`,
);

/** Signs an EIP-4361 message, which serves as the credential for five minutes. */
async function signIn() {
  const now = new Date();
  const message = createSiweMessage({
    domain: new URL(TURNPIKE_URL).host,
    address: wallet.address,
    uri: TURNPIKE_URL,
    version: '1',
    chainId: 8453,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    issuedAt: now,
    expirationTime: new Date(now.getTime() + 300_000),
  });
  const signature = await wallet.signMessage({ message });
  return Buffer.from(
    JSON.stringify({ address: wallet.address, message, signature, timestamp: now.getTime(), chainId: 8453 }),
  ).toString('base64');
}

async function post(path, body, headers = {}) {
  const response = await fetch(`${TURNPIKE_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
