/**
 * @at next: Next's own server would end the process with its last connection; here it drains as the other entry does.
 * @at postgres: two gateways that take turns share one set of books there.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chunk, DONE } from '@/test/scripted-model';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import { exchange } from './harness/http-exchange';
import type { Caller } from './harness/operator';
import { type ScriptedUpstream, startScriptedUpstream } from './harness/scripted-upstream';
import { StubUpstream } from './harness/stub-upstream';
import { until } from './harness/until';

/** A gateway that is told to end: what it still does, what it tells, and what stands in the books after. */

vi.setConfig({ testTimeout: 120_000 });

const DELAY_SECONDS = 1;
const CREDITS_OF_A_READ = 20;
const PROMPT_NANO_USD = 2 * 1_000;

const DRAIN = { delaySeconds: DELAY_SECONDS, timeoutSeconds: 3 };

interface Started {
  gateway: GatewayUnderTest;
  caller: Caller;
}

let stub: StubUpstream;
let model: ScriptedUpstream;
let both: Started[];
let agents: Agent[];
beforeAll(async () => {
  stub = await new StubUpstream().start();
  model = await startScriptedUpstream();
  both = await Promise.all([started(), started()]);
}, 120_000);
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
});

async function started(): Promise<Started> {
  // The stub answers whatever it is asked alike, its chain id too.
  const networks = { 'ethereum-mainnet': { upstreams: [stub.url('ethereum-mainnet')], chainIdentity: false } };
  const inference = { chatUpstreams: [{ name: 'first', url: model.url }], prices: { inputUsdPerMillionTokens: '1', outputUsdPerMillionTokens: '2' } };
  const gateway = await startGateway({ profile: 'live', config: { networks, rpc: { cacheBytesMax: 0, healthChecks: { intervalMs: 0 } }, drain: DRAIN, limits: { rpcRequestsPerMinute: { staff: null } }, inference } });
  return { gateway, caller: await gateway.operator.createCaller({ tier: 'staff', usd: '5' }) };
}

/** The first gateway, started again where it was ended, and a caller of its own. */
async function fresh(): Promise<Started> {
  const [{ gateway }] = both as [Started, Started];
  if ((await probe(gateway, '/livez').catch(() => null)) === null) await gateway.start();
  return { gateway, caller: await gateway.operator.createCaller({ tier: 'staff', usd: '5' }) };
}

/** The machine may be busy with others' work. */
const soon = (condition: () => boolean | Promise<boolean>): Promise<void> => until(condition, 30_000);

const probe = async ({ port }: GatewayUnderTest, path: string) => {
  const { status, json } = await exchange(port, { method: 'GET', path });
  return { status, reasons: (json as { reasons?: { check: string }[] }).reasons };
};

/** A read over a connection that is kept alive where the gateway allows it. @returns its status, and whether the answer closes its connection. */
function read(port: number, key: string, agent: Agent): Promise<{ status: number; closes: boolean }> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/crypto/rpc/ethereum-mainnet', agent, headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, closes: response.headers.connection === 'close' })).once('error', reject);
    });
    request.once('error', reject).end(body);
  });
}

function keptAlive(): Agent {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return agent;
}

/** What came of a stream so far, and how it ended. */
interface Listened {
  text: string;
  ended: 'open' | 'whole' | 'cut';
}

function listen(port: number, key: string): Listened {
  const listened: Listened = { text: '', ended: 'open' };
  const body = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hello?' }], stream: true });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/v1/chat/completions', agent: false, headers }, (response) => {
    response.on('data', (part: Buffer) => (listened.text += part.toString()));
    response.once('end', () => (listened.ended = 'whole')).once('error', () => (listened.ended = 'cut'));
  });
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
    expect(gateway.books.charges(caller.accountId).map(({ credits }) => credits)).toEqual([CREDITS_OF_A_READ, CREDITS_OF_A_READ]);
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
    // Nothing is held, and nothing is charged again, by the next start.
    await gateway.start();
    expect(gateway.books.charges(caller.accountId)).toHaveLength(1);
    expect(await gateway.operator.run('ledger check')).toMatchObject({ ok: true });
  });

  test('finishes a batch with a send whose answer is late, once', async () => {
    stub.answer(async ({ items }) => {
      await sleep(700);
      return JSON.stringify(Array.isArray(items) && items.length > 1 ? items.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })) : { jsonrpc: '2.0', id: items[0]?.id, result: '0x1' });
    });
    const { gateway, caller } = await fresh();
    const batch = ['eth_blockNumber', 'eth_sendRawTransaction', 'eth_chainId'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: method.includes('send') ? ['0x00'] : [] }));
    const answering = gateway.rpc(batch, { as: caller });
    await soon(() => stub.requests.length > 0);
    const ended = gateway.terminate();
    expect((await answering).status).toBe(200);
    await ended;
    expect(stub.requests.filter(({ text }) => text.includes('sendRaw'))).toHaveLength(1);
    expect(gateway.books.charges(caller.accountId)).toHaveLength(1);
  });
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

/** What stands before the two: asks each whether it is ready every 100 ms, and sends eight clients' calls to those that are, over connections that are kept. */
function balance(both: readonly Started[]) {
  const ready = both.map(() => true);
  const answered = both.map(() => 0);
  const lost: string[] = [];
  let isOver = false;
  const watching = both.map(async ({ gateway }, index) => {
    while (!isOver) {
      ready[index] = await probe(gateway, '/readyz').then(({ status }) => status === 200, () => false);
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
  return {
    lost,
    answered: (index: number) => answered[index] ?? 0,
    stop: async () => {
      isOver = true;
      await Promise.all([...watching, ...calling]);
    },
  };
}
