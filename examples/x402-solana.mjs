// Sends a speech request together with its payment, through @x402/fetch with @x402/svm on Solana.
import { createKeyPairSignerFromBytes, generateKeyPairSigner, getBase58Encoder } from '@solana/kit';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';

const { TURNPIKE_URL = 'http://localhost:3000', SOLANA_KEY, SOLANA_RPC_URL } = process.env;
const post = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const wallet = SOLANA_KEY
  ? await createKeyPairSignerFromBytes(getBase58Encoder().encode(SOLANA_KEY))
  : await generateKeyPairSigner();
// In the sandbox, a faucet gives worthless USDC. For a live gateway, SOLANA_KEY must have USDC.
if (!SOLANA_KEY) await fetch(`${TURNPIKE_URL}/api/sandbox/faucet`, post({ address: wallet.address }));

// The payment is a transaction of the wallet. To build it, the client asks a node of the payment's chain.
const scheme = new ExactSvmScheme(wallet, {
  rpcUrl: SOLANA_RPC_URL ?? `${TURNPIKE_URL}/api/sandbox/rpc/solana-mainnet`,
});
// For a live gateway, omit spendControls, as in x402-fetch.mjs.
const pay = wrapFetchWithPayment(
  fetch,
  x402Client.fromConfig({ schemes: [{ network: 'solana:*', client: scheme }], spendControls: false }),
);
const response = await pay(
  `${TURNPIKE_URL}/api/v1/audio/speech`,
  post({ input: 'Paid for on Solana.', response_format: 'mp3' }),
);
if (!response.ok) throw new Error(await response.text());
const { transaction } = JSON.parse(atob(response.headers.get('payment-response')));
console.log(`${(await response.arrayBuffer()).byteLength} bytes of audio, paid by ${transaction}.`);
