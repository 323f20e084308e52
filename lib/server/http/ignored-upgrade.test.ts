import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundAnswer } from './answer-bounds';
import { json } from './call';
import { FAST_PATHS, FastPath } from './fast-path/fast-path';
import { opensWebSocket, serveWithoutUpgrade } from './upgrades';
import { leaveOnlyWebSockets } from './next-entry';
import { nodeListener } from './node-adapter';
import { serve, testGateway } from '@/test/test-gateway';

const H2C = [
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  'Connection: Upgrade, HTTP2-Settings',
];
const BODY = '{"a":"é"}';

/** Sends parts 20 ms apart and reads until the answers have arrived. */
function exchange(port: number, pieces: readonly (string | Buffer)[], answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      pieces.forEach((piece, i) => setTimeout(() => socket.write(piece), i * 20));
    });
    const done = (): void => (socket.destroy(), resolve(text));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('HTTP/1.1 ').length - 1 >= answers && /\}$/.test(text)) done();
    });
    socket.once('close', done).once('error', reject);
    socket.setTimeout(5_000, () => socket.destroy(new Error(`No answer: ${text}`)));
  });
}

const post = (path: string, lines: readonly string[] = H2C, body = BODY): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: x', 'X-Thing: caf\u00e9', ...lines, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n`;

/** Starts a server that returns what it received. */
async function telling(prepare: (server: ReturnType<typeof createServer>) => void): Promise<number> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!boundAnswer(request, response)) return;
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () =>
        response.end(
          JSON.stringify({
            url: request.url,
            body,
            thing: request.headers['x-thing'],
            upgrade: request.headers.upgrade,
            settings: request.headers['http2-settings'],
            connection: request.headers.connection,
          }),
        ),
      );
  });
  prepare(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  return (server.address() as AddressInfo).port;
}

describe('an offer of another protocol than WebSocket is not taken up', () => {
  const port = () =>
    telling((server) =>
      server.on('upgrade', (request, socket, head) => serveWithoutUpgrade(server, request, socket, head)),
    );

  it.each([
    ['in one piece', [Buffer.concat([Buffer.from(post('/a?b=c'), 'latin1'), Buffer.from(BODY)])]],
    ['its body later', [Buffer.from(post('/a?b=c'), 'latin1'), BODY]],
    [
      'in many pieces',
      [
        Buffer.from(post('/a?b=c').slice(0, 40), 'latin1'),
        Buffer.from(post('/a?b=c').slice(40), 'latin1'),
        BODY.slice(0, 3),
        BODY.slice(3),
      ],
    ],
  ])('the request is served as it is without: %s', async (_how, pieces) => {
    const answer = await exchange(await port(), pieces);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      url: '/a?b=c',
      body: BODY,
      thing: 'caf\u00e9',
    });
  });

  it('the connection serves the next request as well, and one that offers again', async () => {
    const one = Buffer.concat([Buffer.from(post('/1'), 'latin1'), Buffer.from(BODY)]);
    const answer = await exchange(await port(), [one, one, Buffer.from(`GET /2 HTTP/1.1\r\nHost: x\r\n\r\n`)], 3);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
    expect(answer).toContain('"url":"/2"');
  });

  it('an offer that arrives behind unanswered requests is served after their answers', async () => {
    const offer = (path: string) => Buffer.concat([Buffer.from(post(path), 'latin1'), Buffer.from(BODY)]);
    const plain = Buffer.from('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    const all = Buffer.concat([plain, offer('/1'), offer('/3'), plain]);
    const answer = await exchange(await port(), [all], 4);
    expect([...answer.matchAll(/"url":"(.*?)"/g)].map(([, url]) => url)).toEqual(['/2', '/1', '/3', '/2']);
  });

  it('an answer larger than the connection holds is sent whole before the next offer is served', async () => {
    const size = 8 << 20;
    const server = createServer((request, response) => {
      if (!boundAnswer(request, response)) return;
      if (request.url !== '/large') return void request.resume().on('end', () => response.end('{"small":true}'));
      const pieces = async () => {
        for (let sent = 0; sent < size; sent += 1 << 16)
          if (!response.write(Buffer.alloc(1 << 16, 'x'))) await once(response, 'drain');
        response.end();
      };
      void pieces();
    });
    server.on('upgrade', (request, socket, head) => serveWithoutUpgrade(server, request, socket, head));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));
    const large = Buffer.from('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const offer = Buffer.concat([Buffer.from(post('/small'), 'latin1'), Buffer.from(BODY)]);
    const answer = await exchange((server.address() as AddressInfo).port, [Buffer.concat([large, offer])], 2);
    expect(answer.split('x').length).toBeGreaterThan(size);
    expect(answer).toContain('"small":true');
  });

  it('a connection that breaks while an offer waits for earlier answers is closed, and nothing else', async () => {
    let arrived: () => void = () => undefined;
    let ended: () => void = () => undefined;
    const [waits, closed] = [
      new Promise<void>((resolve) => (arrived = resolve)),
      new Promise<void>((resolve) => (ended = resolve)),
    ];
    const server = createServer((request, response) => {
      if (!boundAnswer(request, response)) return;
      request.socket.once('close', () => ended());
    });
    server.on('upgrade', (request, socket, head) => {
      serveWithoutUpgrade(server, request, socket, head);
      arrived();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    client.write(
      Buffer.concat([Buffer.from('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'), Buffer.from(post('/1'), 'latin1')]),
    );
    await waits;
    client.resetAndDestroy();
    await closed;
  });

  it('other options of the connection stay', async () => {
    const lines = ['Upgrade: h2c', 'Connection: keep-alive, Upgrade'];
    expect(
      await exchange(await port(), [Buffer.concat([Buffer.from(post('/', lines), 'latin1'), Buffer.from(BODY)])]),
    ).toContain('"connection":"keep-alive"');
  });

  it('by Next’s listener for upgrades, which gets only WebSockets', async () => {
    const heard: string[] = [];
    const port = await telling((server) => {
      server.on('upgrade', (request, socket) => {
        heard.push(String(request.headers.upgrade));
        socket.end('HTTP/1.1 404 Not Found\r\n\r\n{}');
      });
      leaveOnlyWebSockets(server, true);
    });
    expect(await exchange(port, [Buffer.concat([Buffer.from(post('/x'), 'latin1'), Buffer.from(BODY)])])).toContain(
      '"url":"/x"',
    );
    expect(
      await exchange(port, ['GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n']),
    ).toContain(' 404 ');
    expect(heard).toEqual(['WebSocket']);
  });

  it('on the fast path too', async () => {
    const [prefix] = FAST_PATHS;
    const gateway = await testGateway({}, [
      {
        path: `${prefix}{network}`,
        POST: async (call) =>
          json({ network: call.params.network, text: Buffer.from(await call.readBody(1_000)).toString() }),
      },
    ]);
    const { server, port } = await serve(nodeListener(gateway));
    const fastPath = new FastPath(server, gateway, { keepAliveMs: 75_000, firstRequestMs: 60_000 });
    onTestFinished(() => fastPath.close());
    server.on('upgrade', (request, socket, head) => serveWithoutUpgrade(server, request, socket, head));
    const offer = Buffer.concat([Buffer.from(post(`${prefix}base-mainnet`), 'latin1'), Buffer.from(BODY)]);
    const plain = Buffer.concat([Buffer.from(post(`${prefix}solana-mainnet`, []), 'latin1'), Buffer.from(BODY)]);
    const answer = await exchange(port, [offer, plain], 2);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(answer).toContain('"network":"base-mainnet"');
    expect(answer).toContain('"network":"solana-mainnet"');
  });
});

it.each([
  ['GET', 'websocket', true],
  ['GET', 'WebSocket', true],
  ['GET', 'h2c, websocket', true],
  ['POST', 'websocket', false],
  ['GET', 'h2c', false],
  ['GET', 'TLS/1.0', false],
  ['GET', undefined, false],
])('%s with Upgrade: %s opens a WebSocket: %s', (method, upgrade, expected) => {
  expect(opensWebSocket({ method, headers: upgrade === undefined ? {} : { upgrade } })).toBe(expected);
});
