// Chats without a key through OpenAI's client, over a fetch that pays.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import OpenAI from 'openai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const { TURNPIKE_URL = 'http://localhost:3000', WALLET_KEY, MODEL = 'guide' } = process.env;

const wallet = privateKeyToAccount(WALLET_KEY ?? generatePrivateKey());
// In the sandbox, a faucet gives worthless USDC. For a live gateway, WALLET_KEY must have USDC on Base.
if (!WALLET_KEY)
  await fetch(`${TURNPIKE_URL}/api/sandbox/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallet.address }),
  });

// For a live gateway, omit spendControls: the client then pays up to 1 USD per call.
const pay = wrapFetchWithPayment(
  fetch,
  x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(wallet) }],
    spendControls: false,
  }),
);
const client = new OpenAI({
  baseURL: `${TURNPIKE_URL}/api/v1`,
  apiKey: 'none',
  // Sends no key, because the gateway answers an unknown key with 401 instead of accepting the payment.
  defaultHeaders: { Authorization: null },
  fetch: pay,
  // A retry would pay again.
  maxRetries: 0,
});
const stream = await client.chat.completions.create({
  model: MODEL,
  max_tokens: 128,
  messages: [{ role: 'user', content: 'How does staking work?' }],
  stream: true,
});
for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');
console.log();
