/**
 * @at next: Next serves pages itself, and its fallback route serves the images.
 * @not postgres: the brand is configuration and not in the database.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { SIGN_IN_HEADER } from '@/lib/protocol/sign-in/payload';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
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
  // Models and hardware of the sandbox's stand-ins.
  /turnpike-(?:sandbox|guide|simulator)/g,
];

const namesLeft = (text: string): string[] =>
  [...DECLARED.reduce((rest, declared) => rest.replace(declared, ''), text).matchAll(/.{0,60}turnpike.{0,40}/gi)].map(
    ([found]) => found,
  );

const folder = mkdtempSync(join(tmpdir(), 'brand-'));
let gateway: GatewayUnderTest;

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
  }));
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

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

  test('and catalogues read it in the 402 of what is sold', async () => {
    const answer = await ask('/api/v1/chat/completions', CHAT);
    expect((answer.json as { resource: object }).resource).toMatchObject({ serviceName: NAME });
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
