// An agent with a new wallet buys a chat, a block and speech through official clients. It pays for each on every rail.
import { generateKeyPairSigner } from '@solana/kit';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
const [url, post] = [process.env.TURNPIKE_URL ?? 'http://localhost:3000', (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })];
const [evm, svm] = [privateKeyToAccount(generatePrivateKey()), await generateKeyPairSigner()];
const rails = [{ network: 'eip155:8453', client: new ExactEvmScheme(evm) }, { network: 'solana:*', client: new ExactSvmScheme(svm, { rpcUrl: `${url}/api/sandbox/rpc/solana-mainnet` }) }];
for (const { address } of [evm, svm]) await fetch(`${url}/api/sandbox/faucet`, post({ address }));
for (const pay of rails.map((rail) => wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [rail], spendControls: false })))) {
  const chat = await (await pay(`${url}/api/v1/chat/completions`, post({ model: 'guide', messages: [{ role: 'user', content: 'How does staking work?' }] }))).json();
  const block = await (await pay(`${url}/api/v1/crypto/rpc/ethereum-mainnet`, post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }))).json();
  const speech = await (await pay(`${url}/api/v1/audio/speech`, post({ input: 'Paid with the call.' }))).blob();
  console.log(`Block ${block.result}; ${speech.size} bytes of speech; ${chat.choices[0].message.content}`);
}
