import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import type { ChainKind } from '@/lib/protocol/networks';
import { type AskedBlock, type Receipt, RECEIPT_LENGTH_MAX } from '@/lib/protocol/receipts/receipt';
import { nextRoute } from '@/lib/server/http/next-adapter';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { setServedApi } from '@/lib/server/http/served-api';
import { askedBlock } from '../rpc/asked-block';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, completionText, type ModelScript, says, scriptedModel } from '@/test/scripted-model';
import { resultOf, scriptedNode } from '@/test/scripted-node';
import { tempFolder } from '@/test/temp-folder';
import { serve } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const CHAT = '/api/v1/chat/completions';
const ENTRIES = ['fast path', 'node:http', 'Next'] as const;
const CHECKER = join(import.meta.dirname, '../../client/receipts/testing/independent-check.mjs');

/** Starts a gateway with one node and one model. Its customer asks for receipts. */
async function customer(model: ModelScript = says('An answer.'), settings: Record<string, unknown> = {}) {
  const node = await scriptedNode(({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, '"0x10"')).join(',');
    return batch ? `[${answers}]` : answers;
  });
  const upstream = await scriptedModel(model);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'hall', url: upstream.url }] }, 1_000_000_000, {
    networks: { 'ethereum-mainnet': { upstreams: [node.url], chainIdentity: false } },
    rpc: { healthChecks: { intervalMs: 0 } },
    limits: { requestsPerMinute: 1_000 },
    ...settings,
  });
  const plain = await serve(nodeListener(gateway.gateway));
  const send = async (
    entry: (typeof ENTRIES)[number],
    path: string,
    body: string,
    headers: Record<string, string> = { 'x-receipt': 'true' },
  ) => {
    const request = {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...headers },
      body,
    };
    if (entry === 'fast path') return answered(await fetch(`${gateway.origin}${path}`, request));
    if (entry === 'node:http') return answered(await fetch(`${plain.origin}${path}`, request));
    setServedApi(gateway.gateway);
    const handler = nextRoute(path === RPC ? '/api/v1/crypto/rpc/{network}' : path).POST;
    return answered(await throughEntry(handler, new Request(`http://gateway.example${path}`, request)));
  };
  const receiptAt = async (path: string | null, key = gateway.key) =>
    gateway.get((path ?? '').replace('/api/v1', ''), { key });
  const keys = async () => (await fetch(`${gateway.origin}/.well-known/jwks.json`)).text();
  return { ...gateway, send, receiptAt, keys };
}

async function answered(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    bytes,
    id: response.headers.get('x-request-id'),
    at: response.headers.get('x-receipt'),
  };
}

function payloadOf(signature: unknown): Receipt {
  return JSON.parse(Buffer.from(String(signature).split('.')[1] ?? '', 'base64url').toString()) as Receipt;
}

/** Runs a separate checker, which was written only from the description of receipts. */
function checked(receipt: string, keys: string, request: string, answer: Buffer): string {
  const folder = tempFolder();
  const files = Object.entries({ receipt, keys, request, answer }).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
  try {
    return execFileSync(process.execPath, [CHECKER, ...files], { encoding: 'utf8' }).trim();
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout).trim();
  }
}

const ADDRESS = `0x${'1'.repeat(40)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const rpcOf = (method: string, params: unknown[] = []) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const call = (method: string) => rpcOf(method);
const chatOf = (more: object = {}) =>
  JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hi' }], ...more });

afterEach(() => setServedApi(undefined as never));

describe.each(ENTRIES)('a receipt, asked for through %s', (entry) => {
  it.each([
    ['a call of a chain', RPC, call('eth_blockNumber')],
    ['a whole chat', CHAT, chatOf()],
    ['a streamed chat', CHAT, chatOf({ stream: true })],
  ])(
    'of %s has the hashes of what was sent and received, as an independent program finds',
    async (_name, path, body) => {
      const { send, receiptAt, keys } = await customer();
      const { status, bytes, id, at } = await send(entry, path, body);
      expect([status, at]).toEqual([200, `/api/v1/receipts/${id}`]);
      const { text } = await receiptAt(at);
      expect(checked(text, await keys(), body, bytes)).toMatch(new RegExp(`^valid: ${id} of http`));
      expect(checked(text, await keys(), `${body} `, bytes)).toBe('refused: another request');
      expect(checked(text, await keys(), body, bytes.subarray(1))).toBe('refused: another answer');
    },
  );
});

describe('a receipt', () => {
  it('of a call of a chain says price, charge, payer, network and block', async () => {
    const { send, receiptAt, gateway } = await customer();
    const { bytes, id, at } = await send('fast path', RPC, call('eth_blockNumber'));
    const { json } = await receiptAt(at);
    expect(json['format']).toBe('jws');
    expect(payloadOf(json['signature'])).toEqual({
      version: 1,
      issuer: gateway.origin,
      network: 'turnpike:ledger',
      resourceUrl: `${gateway.origin}${RPC}`,
      payer: expect.stringMatching(/^key:[0-9a-f]{64}$/),
      issuedAt: expect.any(Number),
      requestId: id,
      offer: { maximumNanoUsd: 14_000, prices: { creditNanoUsd: 700, maximumCredits: 20 } },
      charge: {
        nanoUsd: 14_000,
        resource: 'rpc/ethereum-mainnet',
        detail: 'eth_blockNumber',
        units: 20,
        isReplay: false,
      },
      request: { method: 'POST', sha256: expect.any(String), bytes: call('eth_blockNumber').length },
      answer: {
        status: 200,
        contentType: 'application/json',
        sha256: expect.any(String),
        bytes: bytes.length,
        isComplete: true,
      },
      rpc: { network: 'ethereum-mainnet', block: { number: '0x10' } },
    });
  });

  it('of a call whose answer names no block says which one it asked for', async () => {
    const { send, receiptAt } = await customer();
    const { at } = await send('fast path', RPC, rpcOf('eth_getBalance', [ADDRESS, '0xF']));
    const { rpc } = payloadOf((await receiptAt(at)).json['signature']);
    expect(rpc).toEqual({ network: 'ethereum-mainnet', askedBlock: { number: '0xf' } });
  });

  it('of a batch says for each item which block it names or asks for', async () => {
    const { send, receiptAt } = await customer();
    const items = [
      rpcOf('eth_getBalance', [ADDRESS, 'safe']),
      rpcOf('eth_chainId'),
      rpcOf('eth_blockNumber'),
      rpcOf('eth_getStorageAt', [ADDRESS, '0x9', { blockHash: HASH.toUpperCase().replace('X', 'x') }]),
    ];
    const { at } = await send('fast path', RPC, `[${items.join(',')}]`);
    expect(payloadOf((await receiptAt(at)).json['signature']).rpc).toEqual({
      network: 'ethereum-mainnet',
      items: [{ askedBlock: { tag: 'safe' } }, {}, { block: { number: '0x10' } }, { askedBlock: { hash: HASH } }],
    });
  });

  it('of the largest batch is not too long to be checked', async () => {
    const { send, receiptAt, keys } = await customer();
    const item = rpcOf('eth_getBalance', [ADDRESS, { blockHash: HASH }]);
    const body = `[${Array.from({ length: 100 }, () => item).join(',')}]`;
    const { at, bytes, id } = await send('fast path', RPC, body);
    const { text, json } = await receiptAt(at);
    expect(checked(text, await keys(), body, bytes)).toMatch(new RegExp(`^valid: ${id} of http`));
    expect(payloadOf(json['signature']).rpc?.items).toHaveLength(100);
    expect(text.length).toBeLessThan(RECEIPT_LENGTH_MAX);
  });

  it.each<[ChainKind, string, unknown, AskedBlock | null]>([
    ['evm', 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x1F' }], { number: '0x1f' }],
    ['evm', 'eth_getBlockByNumber', ['earliest', false], { number: '0x0' }],
    ['evm', 'eth_call', [{}, 'pending'], { tag: 'pending' }],
    ['evm', 'eth_call', [{}], null],
    ['evm', 'eth_getTransactionByHash', [HASH], null],
    ['evm', 'eth_getBlockByHash', ['0x1', false], null],
    ['evm', 'eth_chainId', [], null],
    ['solana', 'getBlock', [42], { number: '42' }],
    ['solana', 'getBalance', ['a', { commitment: 'confirmed' }], { tag: 'confirmed' }],
    ['solana', 'getBalance', ['a'], null],
    ['starknet', 'starknet_getNonce', [{ block_number: 7 }, '0x1'], { number: '7' }],
    ['starknet', 'starknet_getNonce', { block_id: { block_hash: '0x00aB' } }, { hash: '0xab' }],
    ['starknet', 'starknet_getNonce', ['latest', '0x1'], { tag: 'latest' }],
  ])('on %s says that %s of %j asks for %j', (kind, method, params, block) =>
    expect(askedBlock({ method, params: JSON.stringify(params), paramsByName: false, id: '1' }, kind)).toEqual(block),
  );

  it('of a chat says model, prices and tokens, and its charge is the one in the ledger', async () => {
    const { send, receiptAt, charges } = await customer();
    const { at } = await send('fast path', CHAT, chatOf());
    const { model, charge, offer } = payloadOf((await receiptAt(at)).json['signature']);
    const [charged] = await charges();
    expect({ model, charge }).toMatchObject({
      model: 'plain',
      charge: { nanoUsd: charged?.amount, resource: charged?.resource, detail: charged?.detail },
    });
    expect(offer.prices).toMatchObject({ inputNanoUsdPerMillion: 1_000_000_000 });
    expect(offer.maximumNanoUsd).toBeGreaterThanOrEqual(charge.nanoUsd);
  });

  it('of an answer sent again charges nothing', async () => {
    const { send, receiptAt } = await customer();
    const headers = { 'x-receipt': 'true', 'idempotency-key': 'once' };
    const first = await send('fast path', RPC, call('eth_blockNumber'), headers);
    const second = await send('fast path', RPC, call('eth_blockNumber'), headers);
    const of = async ({ at }: typeof first) => payloadOf((await receiptAt(at)).json['signature']);
    expect((await of(first)).charge).toMatchObject({ nanoUsd: 14_000, isReplay: false });
    expect((await of(second)).charge).toMatchObject({ nanoUsd: 0, isReplay: true });
    expect((await of(second)).answer.sha256).toBe((await of(first)).answer.sha256);
  });

  it('is the same each time it is fetched', async () => {
    const { send, receiptAt } = await customer();
    const { at } = await send('fast path', RPC, call('eth_chainId'));
    expect((await receiptAt(at)).text).toBe((await receiptAt(at)).text);
  });

  it('of a stream that broke off says so, and what was charged', async () => {
    const { chat, receiptAt } = await customer((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Half an'), () => response.destroy());
    });
    const broken = await chat(chatOf({ stream: true }), { headers: { 'x-receipt': 'true' } });
    const at = broken.headers.get('x-receipt');
    await broken.text().catch(() => null);
    await expect.poll(async () => (await receiptAt(at)).status).toBe(200);
    const { answer, charge } = payloadOf((await receiptAt(at)).json['signature']);
    expect(answer.isComplete).toBe(false);
    expect(charge.nanoUsd).toBeGreaterThan(0);
  });

  it('of a stream whose reader left says so', async () => {
    const { chat, receiptAt } = await customer((_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('Half an'));
    });
    const leaving = new AbortController();
    const left = await chat(chatOf({ stream: true }), { headers: { 'x-receipt': 'true' }, signal: leaving.signal });
    leaving.abort();
    const at = left.headers.get('x-receipt');
    await expect.poll(async () => (await receiptAt(at)).status).toBe(200);
    expect(payloadOf((await receiptAt(at)).json['signature']).answer.isComplete).toBe(false);
  });

  it('goes to its caller alone', async () => {
    const { send, receiptAt, caller } = await customer();
    const { at } = await send('fast path', RPC, call('eth_chainId'));
    const { status, json } = await receiptAt(at, await caller(1));
    expect([status, json.code]).toEqual([404, 'RECEIPT_NOT_FOUND']);
    expect((await receiptAt(at)).status).toBe(200);
  });

  it.each([
    ['without the header', {}, call('eth_chainId'), 200],
    ['with another value of the header', { 'x-receipt': 'yes' }, call('eth_chainId'), 200],
    ['of a refused call', { 'x-receipt': 'true' }, call('eth_nothing'), 400],
  ])('is not made %s', async (_name, headers: Record<string, string>, body, expected) => {
    const { send, receiptAt } = await customer();
    const { status, id, at } = await send('fast path', RPC, body, headers);
    expect([status, at]).toEqual([expected, null]);
    expect((await receiptAt(`/receipts/${id}`)).json.code).toBe('RECEIPT_NOT_FOUND');
  });

  it('is not made if the operator keeps none', async () => {
    const { send } = await customer(says('Hello.'), { retention: { receiptDays: 0 } });
    expect((await send('fast path', RPC, call('eth_chainId'))).at).toBeNull();
  });

  it('that cannot be stored costs the caller the receipt, and not the answer', async () => {
    const { send, gateway } = await customer();
    await gateway.db.schema.dropTable('receipts').execute();
    const { status, at } = await send('fast path', RPC, call('eth_chainId'));
    expect([status, at]).toEqual([200, null]);
    expect((await send('fast path', CHAT, chatOf({ stream: true }))).bytes.toString()).toContain('[DONE]');
  });
});

describe('a receipt of a model in an enclave', () => {
  const ENCLAVE = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  /** Simulates an enclave that signs its last answer, or other hashes. */
  async function enclave(signs: (hashes: string) => string = (hashes) => hashes, signer = ENCLAVE) {
    const completion = JSON.stringify({ ...JSON.parse(completionText('From the enclave.')), model: 'tee' });
    let hashes = '';
    let signatures = 0;
    const model = await scriptedModel(
      async ({ method, path, body }, response) => {
        response.setHeader('content-type', 'application/json');
        if (method === 'POST') {
          hashes = `${sha256(body)}:${sha256(completion)}`;
          return void response.end(completion);
        }
        if (path.includes('/attestation/'))
          return void response.end(JSON.stringify({ signing_address: ENCLAVE.address }));
        signatures++;
        const text = signs(hashes);
        const signature = await signer.signMessage({ message: text });
        response.end(JSON.stringify({ text, signature, signing_address: ENCLAVE.address, signing_algo: 'ecdsa' }));
      },
      [{ id: 'tee' }],
    );
    const gateway = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    const body = JSON.stringify({ model: 'tee', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 });
    const { headers, text } = await gateway.ask(body, { headers: { 'x-receipt': 'true' } });
    const fetchIt = async () => (await gateway.get((headers.get('x-receipt') ?? '').replace('/api/v1', ''))).text;
    const keys = await (await fetch(`${gateway.origin}/.well-known/jwks.json`)).text();
    return { ...gateway, fetchIt, body, text, keys, signatures: () => signatures };
  }

  it('has the signature of the enclave over the same hashes, asked for once and kept', async () => {
    const { fetchIt, body, text, keys, signatures } = await enclave();
    const receipt = await fetchIt();
    expect(payloadOf((JSON.parse(receipt) as { signature: string }).signature).enclave?.signature).toMatchObject({
      text: `${sha256(body)}:${sha256(text)}`,
      signingAddress: ENCLAVE.address,
    });
    expect(checked(receipt, keys, body, Buffer.from(text))).toMatch(/^valid.* enclave ecdsa$/);
    expect(await fetchIt()).toBe(receipt);
    expect(signatures()).toBe(1);
  });

  it('is refused by the independent program if another key signed those hashes', async () => {
    const { fetchIt, body, text, keys } = await enclave(undefined, privateKeyToAccount(`0x${'22'.repeat(32)}`));
    expect(checked(await fetchIt(), keys, body, Buffer.from(text))).toBe('refused: signature of the enclave');
  });

  it('names the report that a caller was answered, by the hash of its canonical JSON', async () => {
    const { fetchIt, get } = await enclave();
    const { json } = await get(`/tee/attestation?model=tee&nonce=${'ab'.repeat(32)}`);
    const { signature } = JSON.parse(await fetchIt()) as { signature: string };
    expect(payloadOf(signature).enclave?.report?.sha256).toBe(sha256(canonicalJson(json)));
  });

  it('has none where the enclave signed another exchange', async () => {
    const { fetchIt } = await enclave(() => `${'00'.repeat(32)}:${'00'.repeat(32)}`);
    const { enclave: proof } = payloadOf((JSON.parse(await fetchIt()) as { signature: string }).signature);
    expect(proof?.signature).toBeUndefined();
  });

  it('names a report that the gateway verified by itself, which anybody gets by its hash, and others are 404', async () => {
    const { fetchIt, get, gateway } = await enclave();
    const { report } = payloadOf((JSON.parse(await fetchIt()) as { signature: string }).signature).enclave ?? {};
    expect(report).toMatchObject({
      url: `${gateway.origin}/api/v1/tee/reports/${report?.sha256}`,
      verdict: 'not-checkable',
      bindsAnswer: true,
      measurements: [],
    });
    const kept = await get(`/tee/reports/${report?.sha256}`, { key: null });
    expect([kept.status, sha256(kept.text)]).toEqual([200, report?.sha256]);
    for (const other of ['0'.repeat(64), 'x', `${report?.sha256}0`]) {
      const { status, json } = await get(`/tee/reports/${other}`, { key: null });
      expect([status, json.code]).toEqual([404, 'REPORT_NOT_FOUND']);
    }
  });
});
