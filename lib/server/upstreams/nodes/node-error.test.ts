import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../config/load';
import { errorOf, resultOf, scriptedNode, sound } from '@/test/scripted-node';
import { tempFolder } from '@/test/temp-folder';
import { rpcGateway } from '@/test/rpc-gateway';
import type { ChainKind } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod } from '@/lib/protocol/rpc-methods';
import { ERROR_CONSEQUENCES, type ErrorMeaning } from './error-meaning';
import { errorMeaning, readRpcError } from './node-error';
import { RpcNetworks } from './networks';

interface Sent {
  code: number;
  message: string;
  status?: number;
  data?: unknown;
}
type Row = [meaning: ErrorMeaning, kind: ChainKind, method: string, sent: Sent];

const LOGS = 'eth_getLogs';
const CALL = 'eth_call';
const BALANCE = 'eth_getBalance';
const SEND = 'eth_sendRawTransaction';
const USER_OP = 'eth_estimateUserOperationGas';
const REVERT_DATA = `0x08c379a0${'00'.repeat(64)}`;

/** Errors that the caller controls: reverts, custom errors, quoted params, refused sends, user operations, programs. */
const ANSWERS: Row[] = [
  ['answer', 'evm', CALL, { code: 3, message: 'execution reverted: rate limit', data: REVERT_DATA }],
  ['answer', 'evm', CALL, { code: 3, message: 'execution reverted: header not found' }],
  ['answer', 'evm', CALL, { code: 3, message: 'missing trie node 0xab (path )' }],
  ['answer', 'evm', CALL, { code: -32000, message: 'execution reverted: too many requests' }],
  ['answer', 'evm', CALL, { code: -32000, message: 'execution reverted', data: '0xdeadbeef' }],
  ['answer', 'evm', CALL, { code: -32015, message: 'VM execution error.', data: 'Reverted 0x08c379a0' }],
  [
    'answer',
    'evm',
    CALL,
    { code: -32603, message: 'VM Exception while processing transaction: revert quota exceeded' },
  ],
  [
    'answer',
    'evm',
    CALL,
    {
      code: -32603,
      message: "Error: VM Exception while processing transaction: reverted with reason string 'header not found'",
    },
  ],
  ['answer', 'evm', CALL, { code: -32000, message: 'header not found', data: REVERT_DATA }],
  ['answer', 'evm', CALL, { code: -32000, message: 'call limit of this contract is reached' }],
  ['answer', 'evm', CALL, { code: -32000, message: 'execution reverted: rate limit exceeded', status: 400 }],
  ['answer', 'evm', CALL, { code: 3, message: 'execution reverted: rate limit', status: 500 }],
  ['answer', 'evm', 'eth_estimateGas', { code: -32000, message: 'gas required exceeds allowance (30000000)' }],
  [
    'answer',
    'evm',
    'eth_estimateGas',
    { code: -32000, message: 'insufficient funds for gas * price + value', status: 400 },
  ],
  [
    'answer',
    'evm',
    'debug_traceCall',
    { code: -32000, message: 'tracing failed: execution reverted: state is not available' },
  ],
  [
    'answer',
    'evm',
    BALANCE,
    { code: -32602, message: 'invalid argument 0: hex string without 0x prefix', status: 400 },
  ],
  [
    'answer',
    'evm',
    BALANCE,
    { code: -32602, message: 'Invalid params: invalid value: string "rate limit exceeded", expected 20 bytes' },
  ],
  ['answer', 'evm', LOGS, { code: -32602, message: 'invalid topic "block range 1"', status: 422 }],
  ['answer', 'evm', SEND, { code: -32000, message: 'nonce too low: next nonce 5, tx nonce 4', status: 400 }],
  ['answer', 'evm', SEND, { code: -32000, message: 'already known' }],
  [
    'answer',
    'evm',
    SEND,
    {
      code: -32010,
      message: 'Transaction gas price is too low. There is another transaction with same nonce in the queue.',
    },
  ],
  ['answer', 'evm', SEND, { code: -32003, message: 'transaction underpriced: rate limit' }],
  ['answer', 'evm', SEND, { code: -32017, message: 'sender is over rate limit', status: 400 }],
  ['answer', 'evm', USER_OP, { code: -32500, message: 'AA23 reverted: rate limit' }],
  ['answer', 'evm', USER_OP, { code: -32501, message: 'AA33 reverted (or OOG): quota' }],
  ['answer', 'evm', USER_OP, { code: -32521, message: 'user operation execution reverted: header not found' }],
  ['answer', 'evm', USER_OP, { code: -32000, message: 'paymaster says: too many requests' }],
  ['answer', 'evm', BALANCE, { code: -32801, message: 'sanctioned address', status: 403 }],
  [
    'answer',
    'solana',
    'simulateTransaction',
    {
      code: -32002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1 rate limit',
    },
  ],
  [
    'answer',
    'solana',
    'sendTransaction',
    {
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: ['Program log: node is behind'] },
    },
  ],
  [
    'answer',
    'solana',
    'getTransaction',
    { code: -32015, message: 'Transaction version (0) is not supported by the requesting client' },
  ],
  ['answer', 'solana', 'sendTransaction', { code: -32003, message: 'Transaction signature verification failure' }],
  [
    'answer',
    'starknet',
    'starknet_call',
    { code: 40, message: 'Contract error', data: { revert_error: 'rate limit exceeded' } },
  ],
  [
    'answer',
    'starknet',
    'starknet_estimateFee',
    { code: 41, message: 'Transaction execution error', data: { execution_error: 'Block not found' } },
  ],
  ['answer', 'starknet', 'starknet_addInvokeTransaction', { code: 52, message: 'Invalid transaction nonce' }],
  ['answer', 'starknet', 'starknet_getStorageAt', { code: 20, message: 'Contract not found' }],
];

/** Errors of nodes about themselves. */
const NODES: Row[] = [
  ['missing', 'evm', CALL, { code: -32000, message: 'header not found' }],
  ['missing', 'evm', BALANCE, { code: -32000, message: 'header not found', status: 400 }],
  ['missing', 'evm', LOGS, { code: -32000, message: 'unknown block' }],
  ['missing', 'evm', BALANCE, { code: -39001, message: 'Unknown block' }],
  ['missing', 'evm', 'eth_getBlockByNumber', { code: -32014, message: 'block not found with number 0x64' }],
  ['missing', 'evm', CALL, { code: -32000, message: 'block not found: 0x1234' }],
  ['missing', 'evm', 'eth_getBlockByNumber', { code: -32000, message: 'cannot query unfinalized data' }],
  ['missing', 'evm', BALANCE, { code: -32000, message: 'requested block is not available' }],
  [
    'missing',
    'evm',
    LOGS,
    { code: -32000, message: 'requested from block 101 to block 101 after last accepted block 100' },
  ],
  [
    'missing',
    'evm',
    LOGS,
    {
      code: -32000,
      message: 'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
    },
  ],
  ['missing', 'evm', LOGS, { code: -32602, message: 'block range extends beyond current head block', status: 400 }],
  ['missing', 'evm', BALANCE, { code: -32019, message: 'block is out of range', status: 400 }],
  ['missing', 'evm', 'eth_getBlockByNumber', { code: 26, message: 'Unknown block' }],
  ['missing', 'evm', 'trace_block', { code: -32000, message: 'genesis is not traceable' }],
  ['missing', 'evm', 'eth_getBlockByNumber', { code: -32000, message: 'finalized block not found' }],
  ['missing', 'evm', 'eth_getTransactionReceipt', { code: -32000, message: 'transaction indexing is in progress' }],
  ['missing', 'evm', 'eth_getBlockByHash', { code: -32001, message: 'resource not found', status: 404 }],
  [
    'pruned',
    'evm',
    CALL,
    {
      code: -32000,
      message: 'missing trie node 5c9988edf0f4826717b1cda157724c139a93e7c232e919b2f7cdff31e708c5d8 (path )',
    },
  ],
  ['pruned', 'evm', BALANCE, { code: -32000, message: 'historical state 0xab is not available' }],
  ['pruned', 'evm', BALANCE, { code: -32002, message: 'No state available for block 0x64' }],
  ['pruned', 'evm', BALANCE, { code: -32000, message: 'state at block #100 is pruned' }],
  ['pruned', 'evm', LOGS, { code: 4444, message: 'pruned history unavailable' }],
  ['pruned', 'evm', BALANCE, { code: -32000, message: 'World state unavailable' }],
  [
    'pruned',
    'evm',
    'debug_traceBlockByNumber',
    { code: -32000, message: 'required historical state unavailable (reexec=128)' },
  ],
  ['pruned', 'evm', BALANCE, { code: -32701, message: 'Archive requests require a personal token.', status: 403 }],
  [
    'pruned',
    'evm',
    CALL,
    { code: -32000, message: 'no historical RPC is available for this historical (pre-bedrock) execution request' },
  ],
  [
    'no-method',
    'evm',
    'trace_block',
    { code: -32601, message: 'the method trace_block does not exist/is not available' },
  ],
  ['no-method', 'evm', 'trace_block', { code: -32001, message: 'rpc method is not whitelisted', status: 403 }],
  [
    'no-method',
    'evm',
    'trace_block',
    { code: -32600, message: 'Unsupported method: trace_block on ETH_MAINNET', status: 400 },
  ],
  ['no-method', 'evm', 'trace_block', { code: -32004, message: 'Method not supported' }],
  ['range-limit', 'evm', LOGS, { code: -32005, message: 'query returned more than 10000 results' }],
  [
    'range-limit',
    'evm',
    LOGS,
    {
      code: -32600,
      message: 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.',
      status: 400,
    },
  ],
  ['range-limit', 'evm', LOGS, { code: -32602, message: 'query exceeds max block range 100000' }],
  ['range-limit', 'evm', LOGS, { code: -32614, message: 'eth_getLogs is limited to a 10,000 range', status: 413 }],
  ['range-limit', 'evm', LOGS, { code: 35, message: 'ranges over 10000 blocks are not supported on freetier' }],
  ['range-limit', 'evm', LOGS, { code: -32005, message: 'Requested range exceeds maximum RPC range limit' }],
  ['range-limit', 'evm', LOGS, { code: -32000, message: 'exceed maximum block range: 5000' }],
  ['rate-limited', 'evm', CALL, { code: -32016, message: 'over rate limit', status: 429 }],
  ['rate-limited', 'evm', CALL, { code: -32016, message: 'over rate limit' }],
  [
    'rate-limited',
    'evm',
    CALL,
    { code: 429, message: 'Your app has exceeded its compute units per second capacity', status: 429 },
  ],
  ['rate-limited', 'evm', CALL, { code: -32005, message: 'limit exceeded' }],
  [
    'rate-limited',
    'evm',
    CALL,
    { code: -32007, message: '50/second request limit reached - reduce calls per second or upgrade' },
  ],
  ['rate-limited', 'evm', BALANCE, { code: -32000, message: 'rate limit exceeded' }],
  ['rate-limited', 'evm', BALANCE, { code: -32603, message: 'Too Many Requests' }],
  ['rate-limited', 'evm', CALL, { code: -32012, message: 'backend is over capacity', status: 429 }],
  [
    'rate-limited',
    'evm',
    CALL,
    { code: -32090, message: 'Too many requests, reason: call rate limit exhausted, retry in 10s' },
  ],
  ['unable', 'evm', CALL, { code: -32000, message: 'rate limit exceeded' }],
  ['unable', 'evm', CALL, { code: 12, message: "Can't route your request to suitable provider" }],
  ['unable', 'evm', CALL, { code: -32000, message: 'endpoint disabled', status: 403 }],
  ['quota', 'evm', CALL, { code: -32053, message: 'API key credits exhausted' }],
  ['quota', 'evm', CALL, { code: 429, message: 'Monthly capacity limit exceeded.', status: 429 }],
  [
    'quota',
    'evm',
    CALL,
    { code: -32003, message: 'daily request limit reached - upgrade your account to continue using the service' },
  ],
  ['failing', 'evm', CALL, { code: -32010, message: 'backend offline', status: 503 }],
  ['failing', 'evm', CALL, { code: -32011, message: 'no backends available for method', status: 503 }],
  ['failing', 'evm', CALL, { code: 19, message: 'Temporary internal error. Please retry', status: 500 }],
  ['failing', 'evm', CALL, { code: -32002, message: 'rejected due to project ID settings', status: 401 }],
  ['failing', 'evm', BALANCE, { code: -32000, message: 'internal server error', status: 502 }],
  ['missing', 'solana', 'getBlock', { code: -32004, message: 'Block not available for slot 5' }],
  [
    'missing',
    'solana',
    'getBalance',
    { code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } },
  ],
  [
    'missing',
    'solana',
    'getBlock',
    { code: -32007, message: 'Slot 5 was skipped, or missing due to ledger jump to recent snapshot' },
  ],
  ['missing', 'solana', 'getBlock', { code: -32009, message: 'Slot 5 was skipped, or missing in long-term storage' }],
  ['missing', 'solana', 'getBlock', { code: -32014, message: 'Block status not yet available for slot 5' }],
  [
    'missing',
    'solana',
    'getBalance',
    { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: 4 } },
  ],
  [
    'pruned',
    'solana',
    'getBlock',
    { code: -32001, message: 'Block 5 cleaned up, does not exist on node. First available block: 100' },
  ],
  [
    'no-method',
    'solana',
    'getTransaction',
    { code: -32011, message: 'Transaction history is not available from this node' },
  ],
  ['rate-limited', 'solana', 'getBalance', { code: -32007, message: '50/second request limit reached' }],
  ['rate-limited', 'solana', 'getBalance', { code: -32429, message: 'rate limited', status: 429 }],
  ['missing', 'starknet', 'starknet_getStorageAt', { code: 24, message: 'Block not found' }],
  ['missing', 'starknet', 'starknet_getTransactionReceipt', { code: 29, message: 'Transaction hash not found' }],
  [
    'pruned',
    'starknet',
    'starknet_getStorageProof',
    { code: 42, message: "the node doesn't support storage proofs for blocks that are too far in the past" },
  ],
  ['rate-limited', 'starknet', 'starknet_call', { code: -32005, message: 'Too Many Requests', status: 429 }],
];

const ROWS = [...ANSWERS, ...NODES];
const NETWORKS: Readonly<Record<ChainKind, string>> = {
  evm: 'ethereum-mainnet',
  solana: 'solana-mainnet',
  starknet: 'starknet-mainnet',
};
const LONG = { timeout: 30_000 };

/** A network of two nodes. The first is asked first and sends this error. */
async function stageOf(kind: ChainKind, method: string, { status = 200, ...error }: Sent, retryShare: number) {
  const erring = await scriptedNode(
    ({ items: [item] }, response) =>
      void response.writeHead(status).end(`{"jsonrpc":"2.0","id":${item!.id},"error":${JSON.stringify(error)}}`),
  );
  const healthy = await scriptedNode();
  const network = NETWORKS[kind];
  const folder = tempFolder();
  const variable = `RPC_${network.toUpperCase().replaceAll('-', '_')}`;
  const { networks, rpc } = loadConfig(
    {
      TURNPIKE_PROFILE: 'live',
      TURNPIKE_SECRET: 's'.repeat(32),
      TURNPIKE_DATA_DIR: folder,
      [variable]: `${erring.url},${healthy.url}`,
    },
    folder,
  );
  const settings = { ...networks[network]!, chainIdentity: false as const };
  const all = new RpcNetworks({
    networks: { [network]: settings },
    rpc: {
      ...rpc,
      retryShare,
      hedging: { ...rpc.hedging, share: 0 },
      healthChecks: { ...rpc.healthChecks, intervalMs: 0 },
    },
  });
  onTestFinished(() => all.close());
  const backend = all.find(network)!.backend!;
  const found = lookUpMethod(method);
  const sends = !isRefusal(found) && found.sends;
  const item = { method, params: '["0x1","latest"]', paramsByName: false, id: '1' };
  const ask = async (): Promise<string> => {
    const { kind: kindOfAnswer } = await (sends ? backend.send(item, backend.pool.deadline()) : backend.read(item));
    return kindOfAnswer;
  };
  return { ask, sends, node: backend.pool.nodes[0]!, erring, healthy };
}

describe('an error as a provider sends it', LONG, () => {
  it.each(ROWS)('%s: %s %s %j', async (meaning, kind, method, sent) => {
    const { status = 200, ...error } = sent;
    expect(errorMeaning(readRpcError(Buffer.from(JSON.stringify(error))), { kind, method, status })).toBe(meaning);
    const { caller, node: effect, retryBudget } = ERROR_CONSEQUENCES[meaning];

    // Without a retry budget, only free retries ask another node.
    const without = await stageOf(kind, method, sent, 0);
    const isElsewhere = caller === 'ask elsewhere first' && !without.sends;
    expect(await without.ask()).toBe(isElsewhere && retryBudget === 'free' ? 'result' : 'error');
    const { node } = without;
    expect(node.restsFor(performance.now()) > 0).toBe(effect === 'rest');
    if (effect !== 'rest') {
      for (let i = 0; i < 6; i++) await without.ask();
      expect(node.isCutOff).toBe(effect === 'circuit breaker');
    }

    const within = await stageOf(kind, method, sent, 1);
    expect(await within.ask()).toBe(isElsewhere ? 'result' : 'error');
    expect(within.healthy.asked).toHaveLength(isElsewhere ? 1 : 0);
  });

  it('are more than sixty', () => {
    expect(ROWS.length).toBeGreaterThan(60);
  });

  it('that cannot be read is an answer', () => {
    const context = { kind: 'evm', method: BALANCE, status: 200 } as const;
    expect(readRpcError(Buffer.from('{"code":-32005'))).toBeNull();
    expect(
      readRpcError(Buffer.from(JSON.stringify({ code: -32005, message: 'rate limit', data: 'x'.repeat(20_000) }))),
    ).toBeNull();
    expect(errorMeaning(null, context)).toBe('answer');
    expect(errorMeaning(readRpcError(Buffer.from('{"code":"-32005","message":5}')), context)).toBe('answer');
  });
});

const READ = { jsonrpc: '2.0', id: 'mine', method: BALANCE, params: ['0x1', 'latest'] };
const RPC = { timeoutMs: 2_000, hedging: { share: 0 } };

describe('a JSON-RPC error with another status than 200', LONG, () => {
  it.each([400, 401, 403, 404, 422, 429, 500, 503])(
    '%i, from the only node: 200 for the caller, with its reason, at 5 credits',
    async (status) => {
      const node = await scriptedNode(
        ({ items: [item] }, response) =>
          void response.writeHead(status).end(errorOf(item!, -32602, 'too many arguments, want at most 1')),
      );
      const { ask, charges } = await rpcGateway([node.url], RPC);
      const answer = await ask(READ);
      expect([answer.status, answer.credits, answer.text]).toEqual([
        200,
        5,
        '{"jsonrpc":"2.0","id":"mine","error":{"code":-32602,"message":"too many arguments, want at most 1"}}',
      ]);
      expect(charges()).toEqual([5]);
      if (status < 429 && status !== 401) expect(node.asked).toHaveLength(1);
    },
  );

  it('under null is the caller’s where the status is about the request, and a failure where it is about the node', async () => {
    const node = await scriptedNode(
      (_asked, response) => void response.writeHead(400).end(errorOf({ id: null }, -32600, 'invalid request')),
    );
    const { ask } = await rpcGateway([node.url], RPC);
    expect(await ask(READ)).toMatchObject({ status: 200, credits: 5 });
    node.script = (_asked, response) => void response.writeHead(403).end(errorOf({ id: null }, -32600, 'no such key'));
    expect(await ask(READ)).toMatchObject({ status: 500, credits: null });
  });

  it('under another id is a failure', async () => {
    const node = await scriptedNode(
      (_asked, response) => void response.writeHead(400).end(errorOf({ id: 1 }, -32602, 'of another')),
    );
    const { ask, charges } = await rpcGateway([node.url], RPC);
    expect((await ask(READ)).status).toBe(500);
    expect(charges()).toEqual([]);
  });

  it('of a sent transaction is the caller’s, and the transaction goes nowhere else', async () => {
    for (const status of [400, 429, 500]) {
      const first = await scriptedNode(
        ({ items: [item] }, response) => void response.writeHead(status).end(errorOf(item!, -32000, 'nonce too low')),
      );
      const second = await scriptedNode();
      const { ask } = await rpcGateway([first.url, second.url], RPC);
      expect(await ask({ ...READ, method: SEND, params: ['0x02'] })).toMatchObject({ status: 200, credits: 5 });
      expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    }
  });

  it('in a body of one-byte pieces, or without an end, is taken or given up in bounded time', async () => {
    const node = await scriptedNode(async ({ items: [item] }, response) => {
      response.writeHead(400);
      for (const character of errorOf(item!, -32602, 'no')) response.write(character);
      response.end();
    });
    const { ask } = await rpcGateway([node.url], { ...RPC, retryShare: 0 });
    expect(await ask(READ)).toMatchObject({ status: 200, credits: 5 });
    node.script = (_asked, response) => void response.writeHead(400).write('{"jsonrpc":');
    const answer = await ask(READ);
    expect(answer.status).toBe(500);
    expect(answer.elapsedMs).toBeLessThan(4_000);
  });
});

describe('one item at fault', LONG, () => {
  const BATCH = Array.from({ length: 4 }, (_none, i) => ({ ...READ, id: i, params: [`0x${i}`, 'latest'] }));
  const isBad = ({ params }: { params: unknown }): boolean => (params as string[])[0] === '0x2';

  it('of a batch whose node answers it singly with status 400: the others are answered', async () => {
    const node = await scriptedNode((asked, response) => {
      if (asked.batch) return void response.writeHead(400).end('one of these is at fault');
      const [item] = asked.items;
      return isBad(item!)
        ? void response.writeHead(400).end(errorOf(item!, -32602, 'no such address'))
        : resultOf(item!, '"0x1"');
    });
    const { ask } = await rpcGateway([node.url], RPC);
    const answer = await ask(BATCH);
    expect([answer.status, answer.credits]).toEqual([200, 65]);
    // One item caused the refusal, so the next array is tried again.
    const others = BATCH.filter((item) => !isBad(item));
    node.script = sound();
    await ask(others);
    expect(node.asked.at(-1)).toMatchObject({ batch: true });
  });

  it('of a batch whose array comes with status 400: it is read all the same', async () => {
    const node = await scriptedNode(
      ({ items }, response) =>
        void response
          .writeHead(400)
          .end(
            `[${items.map((item) => (isBad(item) ? errorOf(item, -32602, 'no') : resultOf(item, '"0x1"'))).join(',')}]`,
          ),
    );
    const { ask } = await rpcGateway([node.url], RPC);
    expect(await ask(BATCH)).toMatchObject({ status: 200, credits: 65 });
    await ask(BATCH);
    expect(node.asked.map(({ batch }) => batch)).toEqual([true, true]);
  });

  it('that hits a limit of the node is asked of another one, and only that item', async () => {
    const first = await scriptedNode(
      ({ items }) =>
        `[${items.map((item) => (isBad(item) ? errorOf(item, -32014, 'missing') : resultOf(item, '"first"'))).join(',')}]`,
    );
    const second = await scriptedNode(sound('"second"'));
    const { ask } = await rpcGateway([first.url, second.url], { ...RPC, retryShare: 0 });
    const answer = await ask(BATCH);
    expect((JSON.parse(answer.text) as { result: string }[]).map(({ result }) => result)).toEqual([
      'first',
      'first',
      'second',
      'first',
    ]);
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
  });

  it('of a batch that is too long for a node: shorter ones still go as arrays', async () => {
    const node = await scriptedNode((asked, response) =>
      asked.batch && asked.items.length > 3 ? void response.writeHead(413).end() : sound()(asked, response),
    );
    const { ask } = await rpcGateway([node.url], RPC);
    await ask(BATCH);
    await ask(BATCH.slice(1));
    expect(node.asked.at(-1)).toMatchObject({ batch: true });
    expect(node.asked.filter(({ batch }) => batch)).toHaveLength(2);
  });
});

describe('a caller whose calls revert with the words of a rate limit', LONG, () => {
  it('slows nobody: no node rests, none is cut off, and the retry budget is not touched', async () => {
    const script = ({ items: [item] }: { items: { id: number; method: string }[] }): string =>
      item!.method === CALL
        ? `{"jsonrpc":"2.0","id":${item!.id},"error":{"code":3,"message":"execution reverted: rate limit"}}`
        : resultOf(item!, '"0x1"');
    const nodes = [await scriptedNode(script), await scriptedNode(script)];
    const { ask, backend } = await rpcGateway(
      nodes.map(({ url }) => url),
      { ...RPC, retryShare: 0 },
    );
    for (let i = 0; i < 30; i++)
      expect(await ask({ ...READ, method: CALL, params: [{}, 'latest'] })).toMatchObject({ status: 200, credits: 5 });
    for (const node of backend.pool.nodes)
      expect([node.restsFor(performance.now()), node.isCutOff]).toEqual([0, false]);
    expect(nodes.reduce((sum, { asked }) => sum + asked.length, 0)).toBe(30);
  });
});
