import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { type AskedItem, resultOf, scriptedNode } from '@/test/scripted-node';
import { idOfSent } from './sent-transactions';

const RPC = { hedging: { share: 0 }, timeoutMs: 5_000, retryShare: 0 };
const LONG = { timeout: 60_000 };
const call = (method: string, params: unknown[], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const SIGNATURE = '5'.repeat(88);
const HASH = `0x${'ab'.repeat(32)}`;

const signed = (nonce: number): Promise<string> =>
  ACCOUNT.signTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce,
    to: ACCOUNT.address,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
  });

/** Starts two nodes. Only the one that accepted a transaction knows it; the other answers sooner. */
async function stageOf(network: string, known: (item: AskedItem) => string, unknown: (item: AskedItem) => string) {
  let taker = -1;
  const nodes = await Promise.all(
    [0, 1].map((index) =>
      scriptedNode(async ({ items, batch }) => {
        if (
          items.some(({ method }) => method.startsWith('send') || method.includes('_send') || method.includes('_add'))
        )
          taker = index;
        else if (index === taker) await sleep(15);
        const answers = items.map((item) => resultOf(item, (index === taker ? known : unknown)(item)));
        return batch ? `[${answers.join(',')}]` : answers[0];
      }),
    ),
  );
  const gateway = await rpcGateway(
    nodes.map(({ url }) => url),
    RPC,
    network,
  );
  return {
    nodes,
    ask: async (body: unknown): Promise<unknown> => JSON.parse((await gateway.ask(body)).text) as unknown,
  };
}

describe('after a transaction was sent', LONG, () => {
  const ofEvm =
    (nonce: string, transaction: string) =>
    (item: AskedItem): string => {
      if (item.method === 'eth_getTransactionCount') return nonce;
      return item.method.startsWith('eth_getTransaction') ? transaction : `"${HASH}"`;
    };

  it('the pending nonce of its sender is read of the node that took it, alone and in a batch', async () => {
    const { ask } = await stageOf(
      'ethereum-mainnet',
      ofEvm('"0x6"', `{"hash":"${HASH}","blockNumber":null}`),
      ofEvm('"0x5"', 'null'),
    );
    const count = call('eth_getTransactionCount', [ACCOUNT.address, 'pending']);
    for (let i = 0; i < 6; i++) await ask(call('eth_getTransactionCount', [ACCOUNT.address, 'pending', i]));
    await ask(call('eth_sendRawTransaction', [await signed(5)]));
    for (let i = 0; i < 12; i++) expect(await ask(count)).toMatchObject({ result: '0x6' });
    for (let i = 0; i < 4; i++)
      expect(await ask([count, call('eth_gasPrice', [], 2)])).toMatchObject([{ result: '0x6' }, {}]);
  });

  it('it is looked up at that node', async () => {
    const { ask, nodes } = await stageOf(
      'ethereum-mainnet',
      ofEvm('"0x6"', `{"hash":"${HASH}","blockNumber":null}`),
      ofEvm('"0x5"', 'null'),
    );
    for (let i = 0; i < 6; i++) await ask(call('eth_getTransactionByHash', [`0x${i}${'0'.repeat(63)}`]));
    const before = nodes.map((node) => node.asked.length);
    await ask(call('eth_sendRawTransaction', [await signed(5)]));
    for (let i = 0; i < 12; i++)
      expect(await ask(call('eth_getTransactionByHash', [HASH]))).toMatchObject({ result: { hash: HASH } });
    expect(nodes.reduce((sum, node, i) => sum + node.asked.length - (before[i] ?? 0), 0)).toBe(13);
  });

  it('a user operation is looked up at the bundler that took it', async () => {
    const { ask } = await stageOf(
      'ethereum-mainnet',
      ({ method }) => (method.startsWith('eth_get') ? '{"receipt":{}}' : `"${HASH}"`),
      ({ method }) => (method.startsWith('eth_get') ? 'null' : `"${HASH}"`),
    );
    await ask(call('eth_sendUserOperation', [{}, ACCOUNT.address]));
    for (let i = 0; i < 12; i++)
      expect(await ask(call('eth_getUserOperationReceipt', [HASH]))).toMatchObject({ result: { receipt: {} } });
  });

  it('and of its status on Solana, it is read of the node that told it', async () => {
    const status =
      (is: boolean) =>
      (item: AskedItem): string => {
        if (item.method === 'getSignatureStatuses')
          return `{"context":{"slot":100},"value":[${is ? '{"slot":99,"confirmationStatus":"confirmed"}' : 'null'}]}`;
        if (item.method === 'getTransaction') return is ? '{"slot":99}' : 'null';
        return `"${SIGNATURE}"`;
      };
    const { ask } = await stageOf('solana-mainnet', status(true), status(false));
    for (let i = 0; i < 6; i++) await ask(call('getSignatureStatuses', [[`${i + 1}`.repeat(88)]]));
    await ask(call('sendTransaction', ['AQ==']));
    for (let i = 0; i < 6; i++) {
      expect(await ask(call('getSignatureStatuses', [[SIGNATURE]]))).toMatchObject({
        result: { value: [{ confirmationStatus: 'confirmed' }] },
      });
      expect(await ask(call('getTransaction', [SIGNATURE, { commitment: 'confirmed' }]))).toMatchObject({
        result: { slot: 99 },
      });
    }
  });

  it('also where its status was asked for among others', async () => {
    const other = '7'.repeat(88);
    const status =
      (is: boolean) =>
      (item: AskedItem): string => {
        if (item.method === 'getSignatureStatuses')
          return `{"context":{"slot":100},"value":[null,${is ? '{"slot":99,"confirmationStatus":"confirmed"}' : 'null'}]}`;
        if (item.method === 'getTransaction') return is ? '{"slot":99}' : 'null';
        return `"${SIGNATURE}"`;
      };
    const { ask } = await stageOf('solana-mainnet', status(true), status(false));
    for (let i = 0; i < 6; i++) await ask(call('getSignatureStatuses', [[other, `${i + 1}`.repeat(88)]]));
    await ask(call('sendTransaction', ['AQ==']));
    for (let i = 0; i < 6; i++) {
      expect(await ask(call('getSignatureStatuses', [[other, SIGNATURE]]))).toMatchObject({
        result: { value: [null, { confirmationStatus: 'confirmed' }] },
      });
      expect(await ask(call('getTransaction', [SIGNATURE, { commitment: 'confirmed' }]))).toMatchObject({
        result: { slot: 99 },
      });
    }
  });

  it('on Starknet its status is read of the node that took it', async () => {
    const { ask } = await stageOf(
      'starknet-mainnet',
      ({ method }) => (method.includes('_add') ? '{"transaction_hash":"0x00ab"}' : '{"finality_status":"RECEIVED"}'),
      ({ method }) => (method.includes('_add') ? '{"transaction_hash":"0x00ab"}' : 'null'),
    );
    await ask(call('starknet_addInvokeTransaction', [{}]));
    for (let i = 0; i < 12; i++)
      expect(await ask(call('starknet_getTransactionStatus', ['0xab']))).toMatchObject({
        result: { finality_status: 'RECEIVED' },
      });
  });
});

describe('the id of what was sent', () => {
  const idIn = (result: string) =>
    idOfSent({ kind: 'result', bytes: Buffer.from(result), start: 0, end: result.length });

  it.each([
    [`"${HASH}"`, HASH],
    [`"${SIGNATURE}"`, SIGNATURE],
    ['{"transaction_hash":"0x1a"}', '0x1a'],
    [`{"status":"0x1","transactionHash":"${HASH}"}`, HASH],
    ['true', null],
    ['null', null],
  ])('in %s', (result, id) => expect(idIn(result)).toBe(id));
});
