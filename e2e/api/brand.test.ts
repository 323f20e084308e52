/**
 * @at next: Next serves pages itself, and its fallback route serves the images.
 * @not postgres: the brand is configuration and not in the database.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { ERRORS } from '@/lib/protocol/errors';
import { SIGN_IN_HEADER } from '@/lib/protocol/sign-in/payload';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { runCommand } from './harness/command-line';
import type { Caller } from './harness/operator';
import { repositoryRoot } from './harness/repository-root';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type Answer, exchange, type Question } from './harness/http-exchange';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** A gateway with another name: its pages, documents, errors, 402 answers and texts that wallets sign. */

const NAME = 'Acme RPC & Co.';
const LINKS = {
  terms: 'https://acme.example/terms',
  privacy: 'https://acme.example/privacy',
  support: 'https://acme.example/help',
  status: 'https://status.acme.example/',
};
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>Acme</title><path d="M0 0h8v8z"></path></svg>';

/** Places where the name of the software may appear (docs/operating.md, "The name of the gateway"). */
const DECLARED: readonly RegExp[] = [
  // The client package, its exports and its variables.
  /turnpike-client|createTurnpike\w*|TURNPIKE_[A-Z_]+/g,
  // Keys in browser storage.
  /turnpike\.[a-z]+(?:-[a-z]+)*/g,
  // The service of the keychain.
  /"turnpike"(?= and this account name)/g,
  // Types of signed documents, and the network of a receipt that was paid from a balance.
  /turnpike-(?:receipt|measurement)\+jws|turnpike:ledger/g,
  // Models and hardware of the sandbox's stand-ins.
  /turnpike-(?:sandbox|guide|simulator)|SIMULATED Turnpike/g,
];

/**
 * Further places in scripts where the name may appear: the default brand, formats of files, a database, and marks in
 * the history.
 */
const DECLARED_IN_SCRIPTS: readonly RegExp[] = [
  ...DECLARED,
  /\("Turnpike"\)/g,
  /turnpike-(?:attestation|chats|rpc-collection)/g,
  /"turnpike(?:Opened|Step)?"/g,
];

const namesLeft = (text: string, declarations = DECLARED): string[] =>
  [
    ...declarations.reduce((rest, declared) => rest.replace(declared, ''), text).matchAll(/.{0,60}turnpike.{0,40}/gi),
  ].map(([found]) => found);

const folder = mkdtempSync(join(tmpdir(), 'brand-'));
let gateway: GatewayUnderTest;
let caller: Caller;
let receiver: Server;
let alert: Promise<[IncomingMessage, string]>;
const keyed = () => ({ authorization: `Bearer ${caller.key}` });

beforeAll(async () => {
  writeFileSync(join(folder, 'logo.svg'), LOGO);
  ({ gateway } = await startSandboxGateway({
    brand: {
      name: NAME,
      signInStatement: 'Welcome to Acme.',
      logo: join(folder, 'logo.svg'),
      accent: { light: { fill: '#1b5fb0' }, dark: { fill: '#8ab8f5' } },
      links: LINKS,
    },
    networks: { 'polygon-mainnet': { upstreams: ['http://127.0.0.1:9'] } },
  }));
  caller = await gateway.operator.createCaller({ usd: '5' });
  await watchSpending();
}, 120_000);
afterAll(async () => {
  receiver?.close();
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a call that causes a key alert. Sending the alert takes up to 15 seconds. */
async function watchSpending(): Promise<void> {
  receiver = createServer();
  alert = new Promise((resolve) =>
    receiver.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void new Response(Readable.toWeb(request) as ReadableStream).text().then((body) => {
        response.writeHead(204).end();
        resolve([request, body]);
      });
    }),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const admin = await gateway.operator.createKey(caller.accountId, '--type', 'ADMIN');
  const { id, apiKey } = await gateway.operator.createKey(caller.accountId);
  const watched = await ask(`/api/v1/api_keys?id=${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.apiKey}` },
    body: JSON.stringify({ alert: { usd: 0.000001, webhookUrl } }),
  });
  expect([watched.status, namesLeft(readable(watched))]).toEqual([200, []]);
  await ask('/api/v1/crypto/rpc/ethereum-mainnet', {
    ...bodyOf({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
  });
}

const ask = (path: string, { method = 'GET', ...question }: Partial<Question> = {}): Promise<Answer> =>
  exchange(gateway.port, { method, path, ...question });
const bodyOf = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Returns every part of an answer that a customer can read. */
function readable({ text, headers }: Answer): string {
  const required = headers['payment-required'];
  return [
    text,
    JSON.stringify(headers),
    typeof required === 'string' ? Buffer.from(required, 'base64').toString() : '',
  ].join('\n');
}

test('the search finds the name of the software in text', () => {
  for (const text of ['<p>Turnpike</p>', 'realm="Turnpike"', '/turnpike', 'Turnpike (1)'])
    expect(namesLeft(text)).toHaveLength(1);
});

describe('every page has the name of the brand alone', () => {
  test.each([...CONSOLE_PAGES.map(({ href }) => href), '/operator', '/no-such-page'])('%s', async (path) => {
    const page = await ask(path);
    expect(namesLeft(readable(page))).toEqual([]);
    expect(page.text).toMatch(/<title>(?:[^<]+ · )?Acme RPC &amp; Co\.<\/title>/);
    expect(namesLeft(readable(await ask(`${path}?_rsc=x`, { headers: { rsc: '1' } })))).toEqual([]);
  });

  test('with its logo, icon, colours and links', async () => {
    const { text } = await ask('/');
    const [icon = ''] = /\/api\/brand\/icon\.svg\?v=\w+/.exec(text) ?? [];
    expect(text).toMatch(/<link rel="icon" href="\/api\/brand\/icon\.svg\?v=\w+"/);
    expect(text).toMatch(/<img [^>]*src="\/api\/brand\/logo\.svg\?v=\w+"/);
    expect(text).toMatch(/<style>:root\{--color-amber:light-dark\(#1b5fb0,#8ab8f5\);[^<]*<\/style>/);
    for (const url of Object.values(LINKS)) expect(text).toContain(`href="${url}"`);
    const image = await ask(icon);
    expect([image.status, image.headers['content-type'], image.text]).toEqual([200, 'image/svg+xml', `${LOGO}\n`]);
    expect(image.headers['content-security-policy']).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
    expect(image.headers['cache-control']).toContain('immutable');
  });
});

describe('every document has it', () => {
  test.each([
    '/openapi.json',
    '/api/v1/openapi.json',
    '/llms.txt',
    '/.well-known/x402',
    '/.well-known/api-catalog',
    '/api/settings',
    '/api/sandbox',
    '/api/v1/models?type=all',
    '/api/v1/crypto/rpc/networks',
  ])('%s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(namesLeft(readable(answer))).toEqual([]);
  });

  test('with the links of the operator', async () => {
    const { info } = (await ask('/openapi.json')).json as { info: Record<string, unknown> };
    expect(info).toMatchObject({
      title: NAME,
      termsOfService: LINKS.terms,
      contact: { name: NAME, url: LINKS.support },
    });
    const { text } = await ask('/llms.txt');
    expect(text).toMatch(/^# Acme RPC & Co\.\n/);
    for (const url of Object.values(LINKS)) expect(text).toContain(`(<${url}>)`);
    const { linkset } = (await ask('/.well-known/api-catalog')).json as { linkset: object[] };
    expect(linkset[1]).toMatchObject({
      'terms-of-service': [{ href: LINKS.terms }],
      'privacy-policy': [{ href: LINKS.privacy }],
      status: [expect.anything(), { href: LINKS.status }],
    });
  });
});

describe('every refusal has it', () => {
  const CHAT = bodyOf({ model: 'guide', messages: [{ role: 'user', content: 'Hello' }] });
  test.each<[number, string, Partial<Question>]>([
    [402, '/api/v1/crypto/rpc/ethereum-mainnet', bodyOf({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })],
    [
      402,
      '/api/v1/crypto/rpc/ethereum-mainnet?x402Version=1',
      bodyOf({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    ],
    [402, '/api/v1/chat/completions', CHAT],
    [402, '/api/v1/messages', CHAT],
    [402, '/api/v1/video/queue', bodyOf({})],
    [402, '/api/v1/x402/top-up', { method: 'POST' }],
    [402, '/api/v1/x402/top-up?x402Version=1', { method: 'POST' }],
    [401, '/api/v1/billing/balance', { headers: { authorization: 'Bearer tpk_wrong' } }],
    [401, '/api/v1/chat/completions', { ...CHAT, headers: { ...CHAT.headers, authorization: 'Bearer tpk_wrong' } }],
    [404, '/api/v1/nothing', {}],
    [405, '/api/v1/models', { method: 'DELETE' }],
    [404, '/v1/models', {}],
    [404, '/mcp', { method: 'POST' }],
    [404, '/api/brand/other.svg', {}],
    [405, '/api/brand/logo.svg', { method: 'POST' }],
  ])('%i of %s', async (status, path, question) => {
    const answer = await ask(path, question);
    expect(answer.status).toBe(status);
    expect(namesLeft(readable(answer))).toEqual([]);
    if (status === 401 || status === 402) expect(answer.headers['www-authenticate']).toBe(`Bearer realm="${NAME}"`);
  });

  test.each([
    ['that does not exist', 'no-such-network', 'eth_chainId', 400],
    ['without the method', 'ethereum-mainnet', 'eth_nothing', 400],
    ['without an upstream', 'starknet-mainnet', 'starknet_chainId', 500],
    ['whose node does not answer', 'polygon-mainnet', 'eth_chainId', 500],
  ])('of a network %s', async (_what, network, method, status) => {
    const answer = await ask(`/api/v1/crypto/rpc/${network}`, {
      ...bodyOf({ jsonrpc: '2.0', id: 1, method, params: [] }),
      headers: { 'content-type': 'application/json', ...keyed() },
    });
    expect([answer.status, namesLeft(readable(answer))]).toEqual([status, []]);
  });

  test('whatever its code', () => {
    for (const [code, entry] of Object.entries(ERRORS))
      expect([code, namesLeft(JSON.stringify(entry))]).toEqual([code, []]);
  });

  test('and catalogues read it in the 402 of what is sold', async () => {
    const answer = await ask('/api/v1/chat/completions', CHAT);
    expect((answer.json as { resource: object }).resource).toMatchObject({ serviceName: NAME });
  });
});

describe('what is served to programs has it', () => {
  test('scripts of the browser', () => {
    const folder = join(repositoryRoot, '.next/static');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(?:js|css)$/.test(file),
    );
    expect(scripts.length).toBeGreaterThan(50);
    for (const script of scripts)
      expect([script, namesLeft(readFileSync(join(folder, script), 'utf8'), DECLARED_IN_SCRIPTS)]).toEqual([
        script,
        [],
      ]);
  });

  test('public keys, the log of measurements and receipts, each decoded', async () => {
    const { headers } = await ask('/api/v1/crypto/rpc/ethereum-mainnet', {
      ...bodyOf({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      headers: { 'content-type': 'application/json', 'x-receipt': 'true', ...keyed() },
    });
    const documents: readonly [string, Partial<Question>][] = [
      ['/.well-known/jwks.json', {}],
      ['/api/v1/tee/measurements', {}],
      [String(headers['x-receipt']), { headers: keyed() }],
    ];
    for (const [path, question] of documents) {
      const answer = await ask(path, question);
      expect([path, answer.status]).toEqual([path, 200]);
      const parts = [...answer.text.matchAll(/[\w-]{20,}/g)].map(([part]) => Buffer.from(part, 'base64url').toString());
      expect([path, namesLeft([readable(answer), ...parts].join('\n'))]).toEqual([path, []]);
    }
  });

  test('the webhook of a key', async () => {
    const [request, body] = await alert;
    expect(request.headers['user-agent']).toBe(NAME);
    expect(namesLeft(JSON.stringify(request.headers) + body)).toEqual([]);
    expect(JSON.parse(body)).toMatchObject({ type: 'api_key.alert' });
  });
});

describe('what a terminal shows has it', () => {
  const env = () => ({ TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: caller.key });
  const shown = async (args: readonly string[], more: Record<string, string> = {}) => {
    const { code, out, err } = await runCommand(args, { env: { ...env(), ...more } });
    return { code, left: namesLeft(`${out}\n${err}`) };
  };

  test('every help', async () => {
    const { out } = await runCommand(['--help']);
    expect(namesLeft(out)).toEqual([]);
    const names = [...out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) expect([name, await shown([name, '--help'])]).toEqual([name, { code: 0, left: [] }]);
  });

  test.each([
    [0, ['balance']],
    [0, ['usage']],
    [0, ['usage', '--requests']],
    [0, ['rpc', 'ethereum-mainnet', 'eth_blockNumber']],
    [1, ['chat', 'Hello?']],
    [1, ['verify', 'e2ee-guide']],
    [2, ['dance']],
    [2, ['keys', 'mint', 'A']],
    [2, ['withdraw']],
    [3, ['verify', 'nobody']],
    [3, ['receipt', 'fetch', '0'.repeat(32)]],
  ])('%i of %j', async (code, args) => {
    expect(await shown(args)).toEqual({ code, left: [] });
    expect(await shown([...args, '--json'])).toEqual({ code, left: [] });
  });

  test('what is no gateway, and what does not answer', async () => {
    const other = createServer((_request, response) => response.end('<p>Hello</p>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await shown(['balance'], { TURNPIKE_URL: url })).toEqual({ code: 3, left: [] });
    await new Promise((resolve) => other.close(resolve));
    expect(await shown(['balance'], { TURNPIKE_URL: url })).toEqual({ code: 3, left: [] });
  });
});

describe('what wallets sign has it', () => {
  test('sign-ins: the challenge states the statement, and one with another is accepted too', async () => {
    const refused = await ask('/api/v1/x402/balance/0x1111111111111111111111111111111111111111');
    expect(JSON.stringify(refused.json)).not.toMatch(/turnpike/i);
    const { json } = await ask('/api/v1/chat/completions', bodyOf({ model: 'guide', messages: [] }));
    const challenge = (json as { extensions: Record<string, { info: { statement: string } }> }).extensions[
      'sign-in-with-x'
    ];
    expect(challenge?.info.statement).toBe('Welcome to Acme.');
    const account = privateKeyToAccount(`0x${'5'.repeat(64)}`);
    for (const statement of [challenge?.info.statement ?? '', 'Sign in to Turnpike', 'Another statement']) {
      const signIn = buildSignIn({ address: account.address, uri: gateway.url, statement });
      const header = signIn.header(await account.signMessage({ message: signIn.text }));
      const answer = await ask(`/api/v1/x402/balance/${account.address}`, {
        headers: { [SIGN_IN_HEADER.toLowerCase()]: header },
      });
      expect([statement, answer.status]).toEqual([statement, 200]);
    }
  });

  test('tokens for minting keys', async () => {
    const { json } = await ask('/api/v1/api_keys/generate_web3_key');
    const token = JSON.stringify(json).match(/[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/)?.[0] ?? '';
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: 'acme-rpc-co', aud: 'acme-rpc-co:mint-api-key' });
  });
});
