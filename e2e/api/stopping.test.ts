/**
 * @at next: Next's own server would exit after its last connection. Here it drains like the other entry.
 * @at postgres: two successive gateways share one ledger.
 * @waits: for drains to end.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { draftEvmPayment, followPayment, readPaymentOptions, sendPayment, signedEvmPayment } from '@/lib/client';
import { type DeriveKey, sandboxRails } from '@/lib/sandbox/payment-rails';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { chunk, DONE } from '@/test/scripted-model';
import { startScriptedSpeech, type ScriptedSpeech, tone, wavHead } from '@/test/scripted-speech';
import { evmWallet } from '../payments/paying-wallets';
import { CONTRACT_SECRET, type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { exchange } from './harness/http-exchange';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';
import { StubUpstream } from './harness/stub-upstream';
import { until } from '@/test/until';

/** A gateway that is asked to stop: its remaining work, its answers, and the ledger afterwards. */

vi.setConfig({ testTimeout: 120_000 });

const DELAY_SECONDS = 1;
const CREDITS_OF_A_READ = 20;
const PROMPT_NANO_USD = 2 * 1_000;
const CHARACTER_NANO_USD = 15_000;

const BASE = 'eip155:8453';
/** More blocks than anything else could create during this test. */
const CONFIRMATIONS = 6;

const DRAIN = { delaySeconds: DELAY_SECONDS, timeoutSeconds: 3 };

interface Started {
  gateway: GatewayUnderTest;
  caller: Caller;
}

let stub: StubUpstream;
let model: ScriptedUpstream;
let voice: ScriptedSpeech;
let stopVoice: () => Promise<void>;
let both: Started[];
let agents: Agent[];
beforeAll(async () => {
  stub = await new StubUpstream().start();
  model = await startScriptedUpstream();
  ({ speech: voice, stop: stopVoice } = await startScriptedSpeech());
  both = await Promise.all([started(), started()]);
});
beforeEach(() => {
  agents = [];
});
afterEach(() => {
  for (const agent of agents) agent.destroy();
  stub.reset();
});
afterAll(async () => {
  for (const { gateway } of both ?? []) await gateway.stop();
  await stub?.stop();
  model?.close();
  await stopVoice?.();
});

async function started(): Promise<Started> {
  // The stub gives the same answer to every call, also to the one for its chain id.
  const networks = { 'ethereum-mainnet': { upstreams: [stub.url('ethereum-mainnet')], chainIdentity: false } };
  const inference = {
    chatUpstreams: [{ name: 'first', url: model.url }],
    prices: { inputUsdPerMillionTokens: '1', outputUsdPerMillionTokens: '2' },
  };
  const speech = {
    upstreams: [{ name: 'voice', url: voice.url }],
    models: { 'tts-kokoro': { usdPerMillionCharacters: '15' } },
  };
  const gateway = await startGateway({
    profile: 'live',
    config: {
      networks,
      speech,
      rpc: { cacheBytesMax: 0, healthChecks: { intervalMs: 0 } },
      drain: DRAIN,
      limits: { rpcRequestsPerMinute: { staff: null } },
      inference,
    },
  });
  return { gateway, caller: await gateway.operator.createCaller({ tier: 'staff', usd: '5' }) };
}

/** Restarts the first gateway if it was stopped, and creates a new caller. */
async function fresh(): Promise<Started> {
  const [{ gateway }] = both as [Started, Started];
  if ((await probe(gateway, '/livez').catch(() => null)) === null) await gateway.start();
  return { gateway, caller: await gateway.operator.createCaller({ tier: 'staff', usd: '5' }) };
}

/** Allows for a busy machine. */
const soon = (condition: () => boolean | Promise<boolean>): Promise<void> => until(condition, 30_000);

const probe = async ({ port }: GatewayUnderTest, path: string) => {
  const { status, json } = await exchange(port, { method: 'GET', path });
  return { status, reasons: (json as { reasons?: { check: string }[] }).reasons };
};

/**
 * Makes a read over a connection that stays open if the gateway allows it. @returns its status, and whether the answer
 * closes the connection
 */
function read(port: number, key: string, agent: Agent): Promise<{ status: number; closes: boolean }> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', method: 'POST', path: '/api/v1/crypto/rpc/ethereum-mainnet', agent, headers },
      (response) => {
        response
          .resume()
          .once('end', () =>
            resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' }),
          )
          .once('error', reject);
      },
    );
    request.once('error', reject).end(body);
  });
}

function keptAlive(): Agent {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return agent;
}

/** Text of a stream so far, and how it ended. */
interface Listened {
  text: string;
  ended: 'open' | 'whole' | 'cut';
}

function listen(port: number, key: string): Listened {
  const listened: Listened = { text: '', ended: 'open' };
  const body = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hello?' }], stream: true });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  const request = httpRequest(
    { port, host: '127.0.0.1', method: 'POST', path: '/api/v1/chat/completions', agent: false, headers },
    (response) => {
      response.on('data', (part: Buffer) => (listened.text += part.toString()));
      response.once('end', () => (listened.ended = 'whole')).once('error', () => (listened.ended = 'cut'));
    },
  );
  request.once('error', () => (listened.ended = 'cut')).end(body);
  return listened;
}

describe('a gateway that is told to end', () => {
  test('is alive and not ready at once, serves for the delay, and tells each client not to come back', async () => {
    const { gateway, caller } = await fresh();
    const agent = keptAlive();
    expect(await read(gateway.port, caller.key, agent)).toEqual({ status: 200, closes: false });
    expect((await probe(gateway, '/readyz')).status).toBe(200);
    const ended = gateway.terminate();
    await soon(async () => (await probe(gateway, '/readyz')).status === 503);
    expect((await probe(gateway, '/readyz')).reasons?.map(({ check }) => check)).toEqual(['drain']);
    expect((await probe(gateway, '/livez')).status).toBe(200);
    expect(await read(gateway.port, caller.key, agent)).toEqual({ status: 200, closes: true });
    await ended;
    expect(gateway.books.charges(caller.accountId).map(({ credits }) => credits)).toEqual([
      CREDITS_OF_A_READ,
      CREDITS_OF_A_READ,
    ]);
  });

  test('lets a stream come to its end, and charges it', async () => {
    let finish: () => void = () => undefined;
    model.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
      finish = () => response.end(`${chunk('y'.repeat(40))}${DONE}`);
    };
    const { gateway, caller } = await fresh();
    const stream = listen(gateway.port, caller.key);
    await soon(() => stream.text.includes('xxx'));
    const ended = gateway.terminate();
    await sleep(500);
    finish();
    await ended;
    expect(stream).toEqual({ text: expect.stringContaining('[DONE]'), ended: 'whole' });
    expect(gateway.books.charges(caller.accountId).map(({ amount }) => amount)).toEqual([PROMPT_NANO_USD + 20 * 2_000]);
  });

  test('cuts a stream that goes on for too long, and charges what was delivered of it', async () => {
    model.script = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk('x'.repeat(40)));
    };
    const { gateway, caller } = await fresh();
    const stream = listen(gateway.port, caller.key);
    await soon(() => stream.text.includes('xxx'));
    await gateway.terminate();
    expect(stream.ended).toBe('cut');
    expect(gateway.books.charges(caller.accountId).map(({ amount }) => amount)).toEqual([PROMPT_NANO_USD + 10 * 2_000]);
    // The next start leaves nothing reserved and charges nothing twice.
    await gateway.start();
    expect(gateway.books.charges(caller.accountId)).toHaveLength(1);
    expect(await gateway.operator.run('ledger check')).toMatchObject({ ok: true });
  });

  test('cuts speech that goes on for too long, and charges the sentences that were sent to be spoken', async () => {
    const [first, second, third] = ['It is late. ', 'The voice goes on. ', 'Nobody hears this.'] as const;
    voice.script = (asked, response) => {
      if (asked.body.input.startsWith('It')) return tone()(asked, response);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write(wavHead(0xffffffff));
    };
    const { gateway, caller } = await fresh();
    const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
    const spoken = await fetch(`${gateway.url}/api/v1/audio/speech`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ input: first + second + third, response_format: 'pcm', streaming: true }),
    });
    const reader = (spoken.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await soon(() => voice.asked.at(-1)?.body.input.startsWith('The voice') === true);
    await gateway.terminate();
    await expect(drainOf(reader)).rejects.toThrow();
    expect(gateway.books.charges(caller.accountId).map(({ amount }) => amount)).toEqual([
      (first + second).length * CHARACTER_NANO_USD,
    ]);
    await gateway.start();
    expect(gateway.books.charges(caller.accountId)).toHaveLength(1);
    expect(await gateway.operator.run('ledger check')).toMatchObject({ ok: true });
  });

  test('finishes a batch with a send whose answer is late, once', async () => {
    stub.answer(async ({ items }) => {
      await sleep(700);
      return JSON.stringify(
        Array.isArray(items) && items.length > 1
          ? items.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
          : { jsonrpc: '2.0', id: items[0]?.id, result: '0x1' },
      );
    });
    const { gateway, caller } = await fresh();
    const batch = ['eth_blockNumber', 'eth_sendRawTransaction', 'eth_chainId'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: method.includes('send') ? ['0x00'] : [],
    }));
    const answering = gateway.rpc(batch, { as: caller });
    await soon(() => stub.requests.length > 0);
    const ended = gateway.terminate();
    expect((await answering).status).toBe(200);
    await ended;
    expect(stub.requests.filter(({ text }) => text.includes('sendRaw'))).toHaveLength(1);
    expect(gateway.books.charges(caller.accountId)).toHaveLength(1);
  });
});

/** Reads the rest. */
async function drainOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

test('a gateway that is told to end during a top-up credits it once, when its chain has confirmed it after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-stopping-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  onTestFinished(endChildren);
  // Chains run as a separate process, so that they outlive the gateway. This test creates their blocks.
  const { url } = await startAlone(await bundleSandbox(), folder);
  const derive: DeriveKey = (label) => createHmac('sha256', CONTRACT_SECRET).update(`turnpike ${label}`).digest();
  const rails = sandboxRails(derive).map((rail) =>
    rail.network === BASE ? { ...rail, confirmations: CONFIRMATIONS } : rail,
  );
  const gateway = await startGateway({
    profile: 'sandbox',
    config: { payments: { rails, resumeIntervalMs: 500 }, drain: DRAIN },
    env: { SANDBOX_URL: url },
  });
  onTestFinished(() => gateway.stop());
  const connection = { baseUrl: gateway.url };
  const { account, address } = await evmWallet(url);
  const accepted = (await readPaymentOptions(connection)).find(({ network }) => network === BASE);
  if (!accepted) throw new Error('Nothing is accepted on Base.');
  const draft = draftEvmPayment(accepted, account.address);
  const payment = signedEvmPayment(draft, await account.signTypedData(draft.typedData));
  const statesOf = async () =>
    (await gateway.operator.run<{ state: string }[]>('payments list', '--wallet', address)).map(({ state }) => state);
  // The answer says that the call is running, or the connection is cut. The call is undecided at that time.
  const answer = sendPayment(connection, payment).then(
    ({ state }) => state,
    () => 'cut',
  );
  await soon(async () => (await statesOf())[0] === 'submitted');
  await gateway.terminate();
  expect(['pending', 'cut']).toContain(await answer);
  expect([await statesOf(), gateway.books.movementsOf(address)]).toEqual([['submitted'], []]);
  await gateway.start();
  for (let block = 0; block < CONFIRMATIONS; block++)
    await fetch(`${url}/evm/base-mainnet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}',
    });
  for (let told = 0; told < 2; told++)
    expect(await followPayment(connection, payment)).toMatchObject({ state: 'credited', newBalanceUsd: 5 });
  expect([await statesOf(), gateway.books.movementsOf(address)]).toEqual([['credited'], [['TOP_UP', 5_000_000_000]]]);
  expect(await gateway.operator.run('ledger check')).toMatchObject({ ok: true });
});

test('a rolling restart of two gateways under load loses no request, and each answer is charged once', async () => {
  await fresh();
  const counted = both.map(({ gateway, caller }) => gateway.books.charges(caller.accountId).length);
  stub.answer(async ({ items }) => {
    await sleep(5);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(items[0]?.id)},"result":"0x2a"}`;
  });
  const balancer = balance(both);
  await soon(() => both.every((_, index) => balancer.answered(index) > 20));
  for (const [index, { gateway }] of both.entries()) {
    await gateway.terminate();
    const before = balancer.answered(index);
    await gateway.start();
    await soon(() => balancer.answered(index) > before + 20);
  }
  await balancer.stop();
  expect(balancer.lost).toEqual([]);
  for (const [index, { gateway, caller }] of both.entries()) {
    expect(gateway.books.charges(caller.accountId)).toHaveLength((counted[index] ?? 0) + balancer.answered(index));
    expect(await gateway.operator.run('ledger check')).toMatchObject({ ok: true });
  }
});

/** Failed checks in a row after which a load balancer stops sending calls: the default of HAProxy and Kubernetes. */
const FAILED_CHECKS = 3;

/**
 * Starts a load balancer for the two gateways. It checks the readiness of each every 100 ms, and sends calls of eight
 * clients to ready ones over kept connections. The end of the test stops it.
 */
function balance(both: readonly Started[]) {
  const ready = both.map(() => true);
  const answered = both.map(() => 0);
  const lost: string[] = [];
  let isOver = false;
  const watching = both.map(async ({ gateway }, index) => {
    for (let failed = 0; !isOver;) {
      const passed = await probe(gateway, '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
      failed = passed ? 0 : failed + 1;
      ready[index] = failed < FAILED_CHECKS;
      await sleep(100);
    }
  });
  const calling = Array.from({ length: 8 }, async (_, client) => {
    const kept = both.map(keptAlive);
    for (let turn = client; !isOver; turn++) {
      const index = ready[turn % both.length] ? turn % both.length : ready.indexOf(true);
      const target = both[index];
      if (!target) lost.push('no gateway was ready');
      else {
        await read(target.gateway.port, target.caller.key, kept[index] as Agent).then(
          ({ status }) => {
            if (status === 200) answered[index] = (answered[index] ?? 0) + 1;
            else lost.push(`status ${status}`);
          },
          (error: Error) => lost.push(error.message),
        );
      }
      await sleep(10);
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all([...watching, ...calling]);
  };
  onTestFinished(stop);
  return { lost, answered: (index: number) => answered[index] ?? 0, stop };
}
