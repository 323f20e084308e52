import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTurnpikeClient, GatewayError, UnreachableError } from './index';

let server: Server | undefined;
afterEach(() => server?.close());

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Local gateway that gives one answer and records requests. */
async function gateway(status: number, body: string, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body: text });
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r'.repeat(32), ...headers })
        .end(body);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/`, received };
}

describe('rpc', () => {
  it('sends a text byte for byte, so that ids beyond 2^53 arrive as written', async () => {
    const { baseUrl, received } = await gateway(200, '{"jsonrpc":"2.0","id":9007199254740993,"result":"0x1"}');
    const text = '{ "id":9007199254740993, "method":"eth_blockNumber" }';
    const answer = await createTurnpikeClient({ baseUrl, apiKey: 'k' }).rpc('ethereum-mainnet', text, {
      idempotencyKey: 'once',
    });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/api/v1/crypto/rpc/ethereum-mainnet', body: text });
    expect(received[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'idempotency-key': 'once',
    });
    expect(answer.bodyText).toContain('9007199254740993');
  });

  it('reads credits, cost, request id and replay from the headers', async () => {
    const { baseUrl } = await gateway(200, '{"id":1,"result":null}', {
      'x-service-rpc-credits': '20',
      'x-service-rpc-cost-usd': '0.00001400',
      'idempotent-replayed': 'true',
    });
    const answer = await createTurnpikeClient({ baseUrl }).rpc('base-mainnet', { method: 'eth_chainId', id: 1 });
    expect(answer).toMatchObject({
      credits: 20,
      costUsd: '0.00001400',
      requestId: 'r'.repeat(32),
      replayed: true,
      isBatch: false,
      items: [{ id: 1, result: null }],
    });
    expect(answer.latencyMs).toBeGreaterThan(0);
  });

  it('reads that an answer is not kept under its Idempotency-Key; without the header, it may be', async () => {
    const unkept = await gateway(200, '{"id":1,"result":null}', { 'idempotency-stored': 'false' });
    const call = { method: 'eth_chainId', id: 1 };
    expect(
      await createTurnpikeClient({ baseUrl: unkept.baseUrl }).rpc('base-mainnet', call, { idempotencyKey: 'once' }),
    ).toMatchObject({ unkept: true, replayed: false });
    const kept = await gateway(200, '{"id":1,"result":null}');
    expect(
      await createTurnpikeClient({ baseUrl: kept.baseUrl }).rpc('base-mainnet', call, { idempotencyKey: 'once' }),
    ).toMatchObject({ unkept: false });
  });

  it('keeps result and error items of a batch apart, in order', async () => {
    const { baseUrl } = await gateway(
      200,
      '[{"id":1,"result":"0x1"},{"id":"b","error":{"code":-32602,"message":"bad","data":[1]}}]',
    );
    const answer = await createTurnpikeClient({ baseUrl }).rpc('base-mainnet', [
      { method: 'eth_chainId', id: 1 },
      { method: 'eth_call', id: 'b' },
    ]);
    expect(answer.isBatch).toBe(true);
    expect(answer.items).toEqual([
      { id: 1, result: '0x1' },
      { id: 'b', error: { code: -32602, message: 'bad', data: [1] } },
    ]);
  });

  it('does not invent credits where the header is missing or odd', async () => {
    const { baseUrl } = await gateway(200, '{"id":1,"result":1}', { 'x-service-rpc-credits': 'NaN' });
    expect((await createTurnpikeClient({ baseUrl }).rpc('base-mainnet', '{}')).credits).toBeNull();
  });

  it('keeps a slug inside its path segment', async () => {
    const { baseUrl, received } = await gateway(200, '{}');
    await createTurnpikeClient({ baseUrl }).rpc('../sandbox?x', '{}');
    expect(received[0]?.url).toBe('/api/v1/crypto/rpc/..%2Fsandbox%3Fx');
  });
});

describe('errors', () => {
  const rejectionOf = async (baseUrl: string) =>
    createTurnpikeClient({ baseUrl })
      .rpc('base-mainnet', '{}')
      .then(
        () => expect.unreachable(),
        (error: unknown) => error,
      );

  it('gives the sentence, the code, what to do, and the field of each detail', async () => {
    const { baseUrl } = await gateway(
      400,
      JSON.stringify({
        error: 'The request is not valid.',
        code: 'INVALID_REQUEST',
        hint: 'Correct the fields that "details" lists.',
        details: { _errors: [], '0': { method: { _errors: ['Expected a string.'] } } },
      }),
    );
    const error = await rejectionOf(baseUrl);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      status: 400,
      message: 'The request is not valid.',
      detail: { code: 'INVALID_REQUEST', fieldErrors: [{ path: '0.method', message: 'Expected a string.' }] },
    });
    expect((error as GatewayError).detail.hint).toMatch(/details/);
  });

  it('does not say the same sentence twice', async () => {
    const { baseUrl } = await gateway(400, JSON.stringify({ error: 'Empty.', details: { _errors: ['Empty.'] } }));
    expect(await rejectionOf(baseUrl)).toMatchObject({ detail: { fieldErrors: [] } });
  });

  it('tells which cap a 429 was and when it resets', async () => {
    const { baseUrl } = await gateway(429, '{"error":"Too many","code":"MINUTE_CAP","customMessage":"100 a minute"}', {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000000',
    });
    expect(await rejectionOf(baseUrl)).toMatchObject({
      detail: { customMessage: '100 a minute', rateLimit: { limit: 100, remaining: 0, resetAtMs: 1_700_000_000_000 } },
    });
  });

  it.each(['<html>Bad gateway</html>', '', 'null', '[]', '{"error":{"message":"x"}}'])(
    "makes a sentence of a body that is not the service's own: %j",
    async (body) => {
      const { baseUrl } = await gateway(502, body);
      const error = await rejectionOf(baseUrl);
      expect(error).toBeInstanceOf(GatewayError);
      expect((error as GatewayError).message).toContain('502');
      expect((error as GatewayError).detail.isFromService).toBe(false);
    },
  );

  it('refuses a 200 that is not JSON', async () => {
    const { baseUrl } = await gateway(200, '<html>Sign in to the hotel Wi-Fi</html>');
    const error = await rejectionOf(baseUrl);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ detail: { isFromService: false } });
  });

  it.each([
    ['its code', '{"error":"x","code":"UPSTREAM_FAILED"}', { 'x-request-id': '' }, true],
    ['its request id', '{"error":"x"}', { 'x-request-id': 'r1' }, true],
    ['neither', '{"error":"x"}', { 'x-request-id': '' }, false],
  ] as const)('tells whose error it is by %s', async (_what, body, headers, isFromService) => {
    const { baseUrl } = await gateway(500, body, headers);
    expect(await rejectionOf(baseUrl)).toMatchObject({ detail: { isFromService } });
  });

  it('does not take a hostile code for a property of the error table', async () => {
    const { baseUrl } = await gateway(400, '{"error":"x","code":"constructor"}');
    expect(await rejectionOf(baseUrl)).toMatchObject({ detail: { code: 'constructor', hint: null } });
  });

  it('tells a gateway that is down from a call that was cancelled', async () => {
    const { baseUrl } = await gateway(200, '{}');
    await new Promise((resolve) => server?.close(resolve));
    expect(await rejectionOf(baseUrl)).toMatchObject({ name: 'UnreachableError', aborted: false });
    const cancelled = createTurnpikeClient({ baseUrl }).networks({ signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toSatisfy((error) => error instanceof UnreachableError && error.aborted);
  });

  it('tells an answer that broke off from none: its call reached the gateway', async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"jsonrpc"', () => response.destroy());
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const error = await rejectionOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(error).toMatchObject({ name: 'UnreachableError', aborted: false, hasBegun: true });
    expect(error).toHaveProperty('message', expect.stringContaining('broke off before the end'));
    const { baseUrl } = await gateway(200, '{}');
    await new Promise((resolve) => server?.close(resolve));
    expect(await rejectionOf(baseUrl)).toMatchObject({ hasBegun: false });
  });

  it.each(['', 'localhost:3000', 'ftp://host', '/api'])(
    'refuses the base URL %j when the client is made',
    (baseUrl) => {
      expect(() => createTurnpikeClient({ baseUrl })).toThrow(TypeError);
    },
  );
});

describe('public endpoints', () => {
  it('lists networks without a credential', async () => {
    const { baseUrl, received } = await gateway(200, '{"networks":["base-mainnet"]}');
    expect(await createTurnpikeClient({ baseUrl }).networks()).toEqual(['base-mainnet']);
    expect(received[0]?.headers.authorization).toBeUndefined();
  });

  it('says null for the sandbox of a live gateway, which has none', async () => {
    const { baseUrl } = await gateway(404, '{"error":"There is nothing at this path.","code":"NOT_FOUND"}');
    expect(await createTurnpikeClient({ baseUrl }).sandbox()).toBeNull();
  });

  it('does not take a broken gateway for a live one', async () => {
    const { baseUrl } = await gateway(500, '{"error":"x"}');
    await expect(createTurnpikeClient({ baseUrl }).sandbox()).rejects.toBeInstanceOf(GatewayError);
  });

  it('asks the faucet for an address', async () => {
    const { baseUrl, received } = await gateway(200, '{"funded":[]}');
    await createTurnpikeClient({ baseUrl }).faucet('0xabc');
    expect(received[0]).toMatchObject({ url: '/api/sandbox/faucet', body: '{"address":"0xabc"}' });
  });
});

describe('read', () => {
  it('hands over any answer, also a refusal and a page that is no JSON', async () => {
    const { baseUrl, received } = await gateway(429, '<html>slow down</html>', { 'retry-after': '7' });
    const answer = await createTurnpikeClient({ baseUrl, apiKey: 'k' }).read('/api/v1/crypto/rpc/networks?a=%26');
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/crypto/rpc/networks?a=%26',
      headers: { authorization: 'Bearer k' },
    });
    expect(answer).toMatchObject({ status: 429, bodyText: '<html>slow down</html>' });
    expect(new Map(answer.headers).get('retry-after')).toBe('7');
  });

  it('rejects where nobody answers, and says whether it was cancelled', async () => {
    const client = createTurnpikeClient({ baseUrl: 'http://127.0.0.1:9' });
    await expect(client.read('/')).rejects.toMatchObject({ name: 'UnreachableError', aborted: false });
    await expect(client.read('/', { signal: AbortSignal.abort() })).rejects.toMatchObject({ aborted: true });
  });
});

describe('networkHealth', () => {
  it('asks without a body and reads what it gets', async () => {
    const { baseUrl, received } = await gateway(200, '{"networks":[{"network":"base-mainnet","upstreams":[]}]}');
    expect(await createTurnpikeClient({ baseUrl }).networkHealth()).toEqual([
      { network: 'base-mainnet', upstreams: [] },
    ]);
    expect(received[0]).toMatchObject({ method: 'GET', url: '/api/network-health', body: '' });
  });

  it('rejects with the sentence of a gateway that has none', async () => {
    const { baseUrl } = await gateway(404, '{"error":"There is nothing at this path.","code":"NOT_FOUND"}');
    await expect(createTurnpikeClient({ baseUrl }).networkHealth()).rejects.toMatchObject({
      status: 404,
      message: 'There is nothing at this path.',
    });
  });
});
