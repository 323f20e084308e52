import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { TurnpikeError } from '../turnpike-error';
import { payOnSolana } from './solana-signer';

const [WALLET, OTHER, PROGRAM] = [
  'So11111111111111111111111111111111111111112',
  'SysvarRent111111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
];
const TERMS = {
  scheme: 'exact',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: SANDBOX_USDC_MINT,
  amount: '5000000',
  payTo: OTHER,
  maxTimeoutSeconds: 60,
  extra: { feePayer: OTHER },
} as const;
const MINT = Buffer.alloc(82, 0).fill(6, 44, 45).fill(1, 45, 46).toString('base64');
const TRUE_ANSWERS = {
  getAccountInfo: { data: [MINT, 'base64'], executable: false, lamports: 1, owner: PROGRAM, rentEpoch: 0, space: 82 },
  getLatestBlockhash: { blockhash: WALLET, lastValidBlockHeight: 1 },
};

/** Pays through a node with these answers and a wallet that refuses. @returns the error code */
async function paying(answers: Record<string, unknown>): Promise<string> {
  const node = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          result: { context: { slot: 1 }, value: { ...TRUE_ANSWERS, ...answers }[method] },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void node.close());
  const signTransaction = () => Promise.reject(new TurnpikeError('WALLET_REFUSED'));
  const paid = payOnSolana(
    TERMS,
    { address: WALLET, signTransaction },
    `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
  );
  return paid.then(
    () => 'signed',
    (error: unknown) => (error instanceof TurnpikeError ? error.code : String(error)),
  );
}

test('a wallet is asked where its node names a block and the mint', async () => {
  expect(await paying({})).toBe('WALLET_REFUSED');
});

test.each<[string, Record<string, unknown>]>([
  ['a blockhash in a list', { getLatestBlockhash: { blockhash: [WALLET], lastValidBlockHeight: 1 } }],
  ['no block', { getLatestBlockhash: null }],
  ['no mint', { getAccountInfo: null }],
  ['a mint of another program', { getAccountInfo: { ...TRUE_ANSWERS.getAccountInfo, owner: OTHER } }],
  ['a mint of no bytes', { getAccountInfo: { ...TRUE_ANSWERS.getAccountInfo, data: ['', 'base64'] } }],
])('a node that answers with %s has nothing signed, and is named as what failed', async (_what, answers) => {
  expect(await paying(answers)).toBe('SOLANA_RPC_FAILED');
});
