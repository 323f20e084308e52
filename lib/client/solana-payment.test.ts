import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import { VersionedTransaction } from '@solana/web3.js';
import { expect, it, onTestFinished } from 'vitest';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { signSolanaPayment } from './solana-payment';

const address = (byte: number): string => base58.encode(new Uint8Array(32).fill(byte));
const [WALLET, RECEIVER, MINT, FEE_PAYER, BLOCKHASH, NAMED_BLOCKHASH] = [1, 2, 3, 4, 5, 6].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
/** Mint account of @solana/spl-token: 82 bytes, with decimals at 44 and the initialized flag at 45. */
const MINT_ACCOUNT = Buffer.alloc(82).fill(6, 44, 45).fill(1, 45, 46).toString('base64');

const RESULTS: Readonly<Record<string, unknown>> = {
  getAccountInfo: {
    context: { slot: 1 },
    value: {
      data: [MINT_ACCOUNT, 'base64'],
      executable: false,
      lamports: 1,
      owner: TOKEN_PROGRAM,
      rentEpoch: 0,
      space: 82,
    },
  },
  getLatestBlockhash: { context: { slot: 1 }, value: { blockhash: BLOCKHASH, lastValidBlockHeight: 200 } },
};

it('signs the blockhash of its own node and a memo of its own, whatever the gateway names beside the fee payer', async () => {
  const node = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: unknown; method: string };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] }));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void node.close());
  const wires: Uint8Array[] = [];
  const extra = {
    feePayer: FEE_PAYER,
    recentBlockhash: NAMED_BLOCKHASH,
    lastValidBlockHeight: '1',
    memo: 'I owe the gateway everything.',
  };
  const accepted: PaymentRequirements = {
    scheme: 'exact',
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    asset: MINT,
    payTo: RECEIVER,
    amount: '5000000',
    maxTimeoutSeconds: 300,
    extra,
  };
  await signSolanaPayment(
    accepted,
    { address: WALLET, signTransaction: (wire) => (wires.push(wire), Promise.resolve(wire)) },
    `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
  );
  const { message } = VersionedTransaction.deserialize(wires[0] ?? new Uint8Array());
  const keys = message.staticAccountKeys.map((key) => key.toBase58());
  expect([keys[0], message.recentBlockhash]).toEqual([FEE_PAYER, BLOCKHASH]);
  const memos = message.compiledInstructions
    .filter(({ programIdIndex }) => keys[programIdIndex] === MEMO)
    .map(({ data }) => Buffer.from(data).toString());
  expect(memos).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});
