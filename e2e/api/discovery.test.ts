/**
 * @at next: the documents are outside of the API, where Next's own server would look for pages.
 * @not postgres: the documents come from configuration and code.
 */
import {
  AUDIT_CODES,
  checkEndpointSchema,
  discoverOriginSchema,
  getOpenAPI,
  getWarningsForL2,
  getWarningsForOpenAPI,
  checkL2ForOpenAPI,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmWallet } from '../payments/paying-wallets';
import type { ApiDocument } from './harness/documented-answers';
import { at } from './harness/at';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** How programs that know only the origin discover the gateway: public clients read its documents. */

const DOCUMENTS = ['/openapi.json', '/llms.txt', '/.well-known/x402', '/.well-known/api-catalog'];
const PAID = [
  'POST /api/v1/crypto/rpc/{network}',
  'POST /api/v1/chat/completions',
  'POST /api/v1/responses',
  'POST /api/v1/messages',
  'POST /api/v1/audio/speech',
  'POST /api/v1/embeddings',
  'POST /api/v1/images/generations',
  'POST /api/v1/image/generate',
  'POST /api/v1/video/queue',
];

let gateway: GatewayUnderTest;
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
}, 120_000);
afterAll(() => gateway?.stop());

const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, gateway.url), init);
const json = async <Body>(path: string): Promise<Body> => (await (await get(path)).json()) as Body;

describe.each(DOCUMENTS)('%s', (path) => {
  test('is read by any origin and kept for a while, with HEAD and a preflight', async () => {
    const whole = await get(path);
    expect([
      whole.status,
      whole.headers.get('access-control-allow-origin'),
      whole.headers.get('cache-control'),
    ]).toEqual([200, '*', 'public, max-age=300']);
    expect((await whole.text()).length).toBeGreaterThan(100);
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, whole.headers.get('content-type')]);
    expect(
      (
        await get(path, {
          method: 'OPTIONS',
          headers: { origin: 'https://other.example', 'access-control-request-method': 'GET' },
        })
      ).status,
    ).toBe(204);
  });

  test('is no place to write to, and leads nowhere under another spelling', async () => {
    const written = await get(path, { method: 'POST', body: '{}' });
    expect([written.status, ((await written.json()) as { code: string }).code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    const { status, text } = await gateway.ask({ method: 'GET', path: path.toUpperCase() });
    expect(status).toBe(404);
    expect(text).not.toContain('<html');
  });

  test('names the host that was asked, and never one that is nobody’s', async () => {
    const port = new URL(gateway.url).port;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
      const { text } = await gateway.ask({ method: 'GET', path, headers: { host } });
      expect(text).toContain(`http://${host}/`.slice(0, -1));
    }
    expect((await gateway.ask({ method: 'GET', path, headers: { host: 'evil.example' } })).text).not.toContain(
      'evil.example',
    );
  });
});

describe('@agentcash/discovery, which x402scan reads with', () => {
  test('finds every paid endpoint, with its price and protocol, and warns only of the one that a key opens', async () => {
    const found = await discoverOriginSchema({ target: gateway.url });
    if (!found.found) throw new Error(`Nothing was found: ${found.cause}`);
    const paid = found.endpoints.filter(({ authMode }) => authMode === 'paid');
    expect(paid.map(({ method, path }) => `${method} ${path}`)).toEqual(PAID);
    for (const endpoint of paid) expect(endpoint).toMatchObject({ price: 'from 0.010000 USD', protocols: ['x402'] });
    // This one requires a bearer key, and the reader does not support bearer keys.
    const openedByKeyAlone = '/api/v1/api_keys';
    expect(found.endpoints.filter(({ authMode }) => authMode === undefined).map(({ path }) => path)).toEqual([
      openedByKeyAlone,
    ]);

    const source = (await getOpenAPI(gateway.url)).unwrapOr(null);
    if (source === null || 'parseFailure' in source) throw new Error('The description was not read.');
    expect(
      [...getWarningsForOpenAPI(source), ...getWarningsForL2(checkL2ForOpenAPI(source))].map(({ code, path }) => [
        code,
        path,
      ]),
    ).toEqual([['L2_AUTH_MODE_MISSING', openedByKeyAlone]]);
    expect(AUDIT_CODES).toHaveProperty('L2_PRICE_MISSING_ON_PAID');
  });

  at('fast').test.each(PAID)('knows how %s is called, by the description and by its 402', async (name) => {
    const url = gateway.url + (name.split(' ')[1] ?? '').replace('{network}', 'ethereum-mainnet');
    const described = await checkEndpointSchema({ url });
    expect(described).toMatchObject({
      found: true,
      advisories: [
        {
          method: 'POST',
          authMode: 'paid',
          protocols: ['x402'],
          inputSchema: expect.any(Object) as object,
          outputSchema: expect.any(Object) as object,
        },
      ],
    });

    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    const header = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString()) as {
      extensions: { bazaar: Parameters<typeof validateDiscoveryExtension>[0] };
    };
    for (const required of [header, await response.json()]) {
      const { valid, issues } = validatePaymentRequiredDetailed(required);
      expect([valid, issues]).toEqual([true, []]);
    }
    expect(validateDiscoveryExtension(header.extensions.bazaar)).toEqual({ valid: true });
    expect(
      Number((response.headers.get('payment-required') ?? '').length),
      'clients read 16 KB of headers, and send it back',
    ).toBeLessThan(8_000);
  });
});

describe('transcriptions, for which the sandbox has no model', () => {
  const TRANSCRIPTIONS = '/api/v1/audio/transcriptions';
  const MISSING = 'This gateway has no transcription model';

  test('are not for sale in any document, and each says why', async () => {
    const { paths } = await json<{ paths: Record<string, { post: { description: string } }> }>('/openapi.json');
    expect(paths[TRANSCRIPTIONS]?.post).not.toHaveProperty('x-payment-info');
    expect(paths[TRANSCRIPTIONS]?.post.description).toContain(MISSING);
    const text = await (await get('/llms.txt')).text();
    expect(text.split('\n').find((line) => line.includes(`POST ${TRANSCRIPTIONS}]`))).toContain(MISSING);
    const { resources } = await json<{ resources: string[] }>('/.well-known/x402');
    expect(resources).not.toContain(gateway.url + TRANSCRIPTIONS);
  });

  test('have a 402 that warns of a payment, and a payment is not taken', async () => {
    const ask = (headers: Record<string, string> = {}) => {
      const form = new FormData();
      form.append('file', new Blob(['RIFF']), 'a.wav');
      return get(TRANSCRIPTIONS, { method: 'POST', body: form, headers });
    };
    const asked = await ask();
    const body = (await asked.json()) as { error: string; resource: object; extensions: object };
    expect([asked.status, body]).toMatchObject([
      402,
      { error: expect.stringContaining(MISSING), resource: { description: expect.stringContaining(MISSING) } },
    ]);
    expect(body.extensions).not.toHaveProperty('bazaar');
    const client = x402Client.fromConfig({
      schemes: [
        { network: 'eip155:8453', client: new ExactEvmScheme((await evmWallet(`${gateway.url}/api/sandbox`)).account) },
      ],
      spendControls: false,
    });
    const payer = new x402HTTPClient(client);
    const required = payer.getPaymentRequiredResponse((name) => asked.headers.get(name), body);
    const refused = await ask(payer.encodePaymentSignatureHeader(await client.createPaymentPayload(required)));
    expect([
      refused.status,
      ((await refused.json()) as { code: string }).code,
      refused.headers.get('payment-response'),
    ]).toEqual([404, 'MODEL_NOT_FOUND', null]);
  });
});

describe('/.well-known/x402', () => {
  test('lists URLs that each ask for a payment', async () => {
    const { version, resources } = await json<{ version: number; resources: string[] }>('/.well-known/x402');
    expect(version).toBe(1);
    expect(resources).toEqual(
      expect.arrayContaining(
        ['crypto/rpc/solana-mainnet', 'chat/completions', 'audio/speech', 'video/queue', 'x402/top-up'].map(
          (path) => `${gateway.url}/api/v1/${path}`,
        ),
      ),
    );
    for (const url of resources) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      const { accepts, resource } = (await response.json()) as { accepts: unknown[]; resource: { url: string } };
      expect([response.status, accepts.length > 0, resource.url]).toEqual([402, true, url]);
    }
  });
});

describe('/.well-known/api-catalog (RFC 9727)', () => {
  test('is a linkset of its profile, announces itself, and each of its links leads somewhere', async () => {
    const response = await get('/.well-known/api-catalog');
    expect(response.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    expect((await get('/.well-known/api-catalog', { method: 'HEAD' })).headers.get('link')).toBe(
      `<${gateway.url}/.well-known/api-catalog>; rel="api-catalog"`,
    );
    const { linkset } = (await response.json()) as {
      linkset: (Record<string, { href: string; type?: string }[]> & { anchor: string })[];
    };
    const links = linkset.flatMap(({ anchor: _anchor, ...relations }) =>
      Object.entries(relations).flatMap(([relation, targets]) => targets.map((target) => ({ relation, ...target }))),
    );
    expect(links.map(({ relation }) => relation)).toEqual(
      expect.arrayContaining(['item', 'service-desc', 'service-doc', 'service-meta', 'status']),
    );
    for (const { href, type } of links) {
      if (type === undefined) continue;
      const target = await fetch(href);
      expect([href, target.status, target.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
    }
  });
});

test('/llms.txt names every operation of the description', async () => {
  const { paths } = await json<ApiDocument>('/openapi.json');
  const text = await (await get('/llms.txt')).text();
  for (const [path, verbs] of Object.entries(paths))
    for (const verb of Object.keys(verbs)) expect(text).toContain(`[${verb.toUpperCase()} ${path}]`);
});
