import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';
import { openaiOptions } from '../src/openai';
import { createTurnpike } from '../src/turnpike';
import { turnpikeProvider } from '../src/ethers';
import { turnpikeSolanaRpc } from '../src/solana';
import { speak } from '../src/speech';
import { makeVideo } from '../src/video';
import { describeEvent } from './described-event';
import { Spending } from './proxy/proxied-call';
import { type ProxyOptions, startProxy } from './proxy/proxy-server';
import { type CommandOutcome, runCommand } from '@/test/customer-command';

/** This file runs the commands, the proxy and the library against a gateway with arbitrary answers. */

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function gatewayOf(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof value === 'string' ? value : JSON.stringify(value));

const run = async (args: string[], answer: Answer): Promise<CommandOutcome> =>
  runCommand(args, { env: { TURNPIKE_URL: await gatewayOf(answer), TURNPIKE_API_KEY: 'key-of-a-test' } });

const CHARGE = {
  timestamp: 't',
  resource: 'rpc/x',
  detail: 'd',
  units: 1,
  amount: '0.1',
  currency: 'USD',
  pots: {},
  apiKey: null,
  requestId: 'r',
};
const REQUEST = {
  timestamp: 't',
  product: 'rpc',
  network: 'x',
  method: 'm',
  model: null,
  status: 429,
  code: 'MINUTE_CAP',
  cut: false,
  durationMs: 1,
  units: 0,
  amount: '0',
  apiKey: null,
  requestId: 'r',
};
const PAGE = { hasMore: false, nextCursor: null };
const RESULT = { jsonrpc: '2.0', id: 1, result: 'ok' };
const ODD_AMOUNTS = ['lots', 0.1, null, {}, `0.${'0'.repeat(200_000)}1`, '\u001b[31m1'];
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const NASTY = '\u001b]0;x\u0007\u009b31m\u202e\r\b';

const HARDWARE_ROOT = Buffer.from(INTEL_ROOT.certificate.der).toString('base64');

describe('a command', () => {
  test.each(['no base64!', '', 'AAAA', HARDWARE_ROOT])(
    'that accepts a simulator says so where its root is %.20j',
    async (root) => {
      const sandbox = { profile: 'sandbox', demoKey: 'k', evm: [], solana: null, enclave: { root } };
      for (const args of [['verify', 'm'], ['chat', '--model', 'm', 'hello'], ['proxy'], ['mcp']]) {
        const { code, err } = await run([...args, '--allow-simulated'], json(sandbox));
        expect([args[0], code !== 0, err]).toEqual([
          args[0],
          true,
          expect.stringContaining('The gateway sent no valid certificate of a simulator.'),
        ]);
        expect(err).not.toMatch(/\n\s+at /);
      }
    },
  );

  test.each(ODD_AMOUNTS)('usage says what is wrong with an amount that is %j', async (amount) => {
    const { code, out, err } = await run(['usage'], json({ data: [{ ...CHARGE, amount }], pagination: PAGE }));
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^The answer does not have the expected form: data\[0\]\.amount is /);
    expect(err).not.toMatch(/\n\s+at |fault of turnpike-client/);
    expect(err.length).toBeLessThan(600);
  });

  test.each([{ data: null }, { data: [{}] }, [], 'null', { data: [{ group: 7 }], totals: 1 }])(
    'usage --by says what is wrong with %j',
    async (body) => {
      const { code, err } = await run(['usage', '--by', 'day'], json(body));
      expect([code, err]).toEqual([3, expect.stringContaining('was expected')]);
    },
  );

  test.each([
    ['usage --failed', { data: [{ ...REQUEST, method: NASTY, code: `${NASTY}\nforged  1000 USD` }], pagination: PAGE }],
    ['usage', { data: [{ ...CHARGE, resource: NASTY, detail: `${NASTY}\nforged  1000 USD` }], pagination: PAGE }],
    [
      'balance',
      {
        canConsume: true,
        consumptionCurrency: 'DIEM',
        balances: { diem: 1, bundledCredits: 0, usd: 0 },
        diemEpochAllocation: 1,
        diemEpochEndsAt: `${NASTY}\nforged`,
      },
    ],
    ['keys', { data: [{}], error: NASTY }],
    ['rpc', { ...RESULT, result: NASTY }],
    ['rpc', { ...RESULT, result: { [NASTY]: NASTY } }],
    ['rpc', { jsonrpc: '2.0', id: 1, error: { code: 1, message: NASTY, data: NASTY } }],
  ])('%s prints nothing that a terminal obeys, of %j', async (name, body) => {
    const args = name === 'rpc' ? ['rpc', 'base-mainnet', 'x'] : name.split(' ');
    for (const more of [[], ['--json']]) {
      for (const status of [200, 400]) {
        const { out, err } = await run(
          [...args, ...more],
          json(status === 400 ? { error: NASTY, code: NASTY, hint: NASTY } : body, status, { 'x-request-id': 'r' }),
        );
        expect(out + err).not.toMatch(OBEYED);
        expect(out).not.toMatch(/^forged/m);
      }
    }
  });

  test('usage --failed lists refused requests with their codes, and asks for no others', async () => {
    const asked: (string | undefined)[] = [];
    const { code, out } = await run(['usage', '--failed', '--limit', '5'], (request, response) => {
      asked.push(request.url);
      json({ data: [REQUEST, { ...REQUEST, status: 200, code: null, cut: true }], pagination: PAGE })(
        request,
        response,
      );
    });
    expect([code, asked]).toEqual([0, ['/api/v1/billing/requests?status=failed&limit=5']]);
    expect(out).toBe('t  429 MINUTE_CAP  rpc x m  1 ms  0 USD  r\nt  200 cut  rpc x m  1 ms  0 USD  r\n');
  });

  test('usage --requests cannot be summed', async () => {
    const { code, err } = await run(['usage', '--requests', '--by', 'day'], json({}));
    expect([code, err]).toEqual([2, expect.stringContaining('--by sums charges')]);
  });

  test('rpc --json tells a result that is nested too deeply in a sentence', async () => {
    const { code, err, out } = await run(
      ['rpc', 'base-mainnet', 'x', '--json'],
      json(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
    );
    expect(code).toBe(3);
    expect(out + err).toContain('nested too deeply');
  });

  test('a list without end is left', async () => {
    let isLeft = false;
    const { code, err } = await run(['usage'], (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const part = Buffer.alloc(65_536, ' ');
      const write = (): void => {
        if (!response.destroyed) response.write(part, () => setImmediate(write));
      };
      response.once('close', () => (isLeft = true));
      write();
    });
    expect([code, err]).toEqual([3, expect.stringContaining('limit of 8192 KiB')]);
    await expect.poll(() => isLeft).toBe(true);
  });

  test('an event has texts of the gateway on its line', () => {
    expect(
      describeEvent({
        type: 'top-up-begins',
        amountUsd: 5,
        network: `eip155:1\nforged`,
        asset: 'a',
        payTo: NASTY,
        from: '0x',
        spentTodayUsd: 0,
        refusedTodayUsd: 0,
      }),
    ).toMatch(/^[^\n]*\n$/);
  });
});

describe('the proxy', () => {
  async function proxy(answer: Answer, onCall: ProxyOptions['onCall']): Promise<string> {
    const customer = createTurnpike({ url: await gatewayOf(answer), account: 'key-of-a-test' });
    const running = await startProxy({
      customer,
      privacy: 'plain',
      privately: {},
      model: null,
      token: 'token-of-a-test-1',
      port: 0,
      onCall,
    });
    ends.push(() => running.close());
    return `http://127.0.0.1:${running.port}/token-of-a-test-1`;
  }
  const call = (url: string): Promise<Response> =>
    fetch(`${url}/rpc/base-mainnet`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

  test.each(['abc', '-1', '1e400', '0x1', '9'.repeat(40)])('goes on after a cost of %j', async (cost) => {
    const spending = new Spending();
    const url = await proxy(
      json(RESULT, 200, { 'x-service-rpc-cost-usd': cost, 'x-balance-remaining': cost }),
      (told) => spending.add(told),
    );
    for (let calls = 1; calls <= 2; calls++) {
      expect(await (await call(url)).json()).toEqual(RESULT);
      await expect.poll(() => spending.calls).toBe(calls);
    }
    expect(spending.usd).toMatch(/^\d+\.\d+$/);
  });

  test('sums more than a number holds without an error', () => {
    const spending = new Spending();
    for (let calls = 0; calls < 3; calls++) spending.add({ costUsd: '9007199' });
    expect(spending.usd).toBe('9007199.254740991');
  });

  test('answers the next call though a listener throws', async () => {
    let heard = 0;
    const url = await proxy(json(RESULT), () => {
      heard++;
      throw new Error('of a listener');
    });
    for (let calls = 1; calls <= 2; calls++) {
      expect((await call(url)).status).toBe(200);
      await expect.poll(() => heard).toBe(calls);
    }
  });

  test('takes the beginning of a refusal without end', async () => {
    const url = await proxy(json('x'.repeat(2_000_000), 500), () => undefined);
    const response = await call(url);
    expect([response.status, (await response.text()).length < 1_000]).toEqual([500, true]);
  });
});

describe('the library', () => {
  const customer = async (answer: Answer) => createTurnpike({ url: await gatewayOf(answer), account: 'key-of-a-test' });
  const throws = (): never => {
    throw new Error('of a listener');
  };

  test('a listener for progress that throws ends neither speech nor a video', async () => {
    const speech = await speak(
      await customer((_request, response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('audio')),
      { input: 'x', model: 'm', voice: 'v', response_format: 'mp3' },
      { onProgress: throws },
    );
    expect(new TextDecoder().decode(await speech.bytes())).toBe('audio');
    const filming: Answer = (request, response) =>
      request.url?.endsWith('/retrieve')
        ? response.writeHead(200, { 'content-type': 'video/mp4' }).end('film')
        : json({ model: 'm', queue_id: 'q' })(request, response);
    expect(
      await (
        await makeVideo(
          await customer(filming),
          { model: 'm', prompt: 'p', duration: '5s', aspect_ratio: '16:9' },
          { onProgress: throws },
        )
      ).media.text(),
    ).toBe('film');
  });

  test('an answer of one-byte chunks without end is left by every reader that counts nothing', async () => {
    const drip: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const part = Buffer.alloc(262_144, ' ');
      const write = (): void => {
        if (!response.destroyed) response.write(part, () => setImmediate(write));
      };
      write();
    };
    const turnpike = await customer(drip);
    await expect(turnpike.fetch('/api/v1/models').then((response) => response.text())).rejects.toThrow(
      'over this endpoint',
    );
    await expect(
      openaiOptions(turnpike)
        .fetch(`${turnpike.url}/api/v1/models`)
        .then((response) => response.json()),
    ).rejects.toThrow('over this endpoint');
    await expect(
      turnpikeProvider(turnpike, 'base-mainnet', { chain: 1, staticNetwork: true }).send('eth_chainId', []),
    ).rejects.toThrow();
    await expect(turnpikeSolanaRpc(turnpike).getSlot().send()).rejects.toMatchObject({ code: 'ANSWER_MALFORMED' });
  }, 60_000);
});

describe('a refusal that says nothing is told all the same', () => {
  for (const args of [
    ['chat', 'Hello', '--model', 'e2ee-guide'],
    ['rpc', 'base-mainnet', 'eth_blockNumber'],
    ['balance'],
    ['verify', 'e2ee-guide'],
  ]) {
    test.each([
      ['', ''],
      [' ', '\n'],
      ['\u00a0', ' '],
    ])(`by ${args[0]}: %j with the hint %j`, async (error, hint) => {
      const { code, err } = await run(args, json({ error, code: 'INVALID_REQUEST', hint }, 500));
      expect(code).toBe(3);
      expect(err.trim()).toMatch(/\w+ \w+/);
    });
  }
});
