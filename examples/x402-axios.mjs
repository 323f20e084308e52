// Sends a call together with its payment, through axios with @x402/axios.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import axios from 'axios';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const { TURNPIKE_URL = 'http://localhost:3000', WALLET_KEY } = process.env;

const wallet = privateKeyToAccount(WALLET_KEY ?? generatePrivateKey());
// In the sandbox, a faucet gives worthless USDC. For a live gateway, WALLET_KEY must have USDC on Base.
if (!WALLET_KEY) await axios.post(`${TURNPIKE_URL}/api/sandbox/faucet`, { address: wallet.address });

const paying = wrapAxiosWithPaymentFromConfig(axios.create({ baseURL: `${TURNPIKE_URL}/api/v1` }), {
  schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(wallet) }],
});
const { data, headers } = await paying.post('/chat/completions', {
  model: 'guide',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'How does staking work?' }],
});
console.log(`${data.choices[0].message.content}\n\n${headers['x-balance-remaining']} USD are left for the next call.`);
