import { describe, expect, it } from 'vitest';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { routes } from '..';
import { openApiDocument } from '../openapi/document';
import { soldResources } from './bazaar';
import { llmsText } from './discovery';
import { offeredRoutes } from './offered-routes';
import { offerOf, payableUrls } from './sold-endpoints';

const LISTING = {
  routes,
  origin: 'https://gateway.example',
  networks: ['base-mainnet', 'solana-mainnet'],
  takesCallPayments: true,
  brand: DEFAULT_BRAND,
};

describe('where a payment is taken', () => {
  it('is each paid endpoint, the proxy once for each network, and the top-up', () => {
    expect(payableUrls(LISTING)).toEqual(
      [
        'crypto/rpc/base-mainnet',
        'crypto/rpc/solana-mainnet',
        'chat/completions',
        'responses',
        'messages',
        'audio/speech',
        'audio/transcriptions',
        'embeddings',
        'images/generations',
        'image/generate',
        'video/queue',
        'x402/top-up',
      ].map((path) => `https://gateway.example/api/v1/${path}`),
    );
  });

  it('is the top-up alone where no payment comes with a call, and no network is made up', () => {
    expect(payableUrls({ ...LISTING, takesCallPayments: false })).toEqual([
      'https://gateway.example/api/v1/x402/top-up',
    ]);
    expect(payableUrls({ ...LISTING, networks: [] })).not.toContainEqual(expect.stringContaining('/rpc/'));
  });
});

describe('llms.txt', () => {
  const text = llmsText(LISTING);

  it('begins with a title and a summary, as the convention asks', () =>
    expect(text).toMatch(/^# Turnpike\n\n> [^\n]+\n\n/));

  it('has each endpoint that is described, with what it costs', () => {
    for (const { path, docs } of routes)
      for (const [verb, { id, summary }] of Object.entries(docs ?? {}))
        expect(text).toContain(`- [${verb} ${path}](https://gateway.example/reference#${id}): ${summary}. `);
    for (const [, price] of text.matchAll(/^- \[(?:GET|POST|DELETE) [^\]]+\]\([^)]+\): [^\n]*\. ([^\n]+)$/gm))
      expect(price).toMatch(/^(Public|Free of charge|By the|GET|[A-Z])/);
    expect(text).toContain('`base-mainnet`, `solana-mainnet`');
  });

  it('says how to pay as this gateway takes it', () => {
    expect(text).toContain('PAYMENT-SIGNATURE');
    const before = llmsText({ ...LISTING, takesCallPayments: false, networks: [] });
    expect(before).not.toContain('PAYMENT-SIGNATURE');
    expect(before).toContain('POST /api/v1/x402/top-up (x402)');
    expect(before).toContain('None is configured.');
  });
});

describe('what a gateway has no model for', () => {
  const none = { upstreams: [], models: new Map() };
  const some = { upstreams: [{ isEnclave: false, encryption: 'ecdsa' }], models: new Map([['one', {}]]) };
  const sealed = { upstreams: [{ isEnclave: true, encryption: 'ehbp' }], models: new Map() };
  const KINDS = ['inference', 'speech', 'transcriptions', 'embeddings', 'images', 'video'];
  type Stock = Parameters<typeof offeredRoutes>[1];
  const stock = (lacking: readonly string[], more: object = {}) =>
    ({
      ...Object.fromEntries(KINDS.map((kind) => [kind, lacking.includes(kind) ? none : some])),
      ...more,
    }) as unknown as Stock;
  const CASES: [kind: string, paths: string[], word: string][] = [
    ['inference', ['chat/completions', 'responses', 'messages'], 'private chat'],
    ['speech', ['audio/speech'], 'speech'],
    ['transcriptions', ['audio/transcriptions'], 'transcripts'],
    ['embeddings', ['embeddings'], 'embeddings'],
    ['images', ['images/generations', 'image/generate'], 'images'],
    ['video', ['video/queue'], 'video'],
  ];

  it('is nothing where each has one', () => expect(offeredRoutes(routes, stock([]))).toEqual(routes));

  it.each(CASES)('%s: is not for sale in any document, and each says why', (kind, paths, word) => {
    const offered = offeredRoutes(routes, stock([kind]));
    const urls = payableUrls({ ...LISTING, routes: offered });
    const text = llmsText({ ...LISTING, routes: offered });
    const soldAt = soldResources(offered, 'Turnpike');
    const { paths: described } = openApiDocument(offered, {
      origin: LISTING.origin,
      relativeTo: 'origin',
      pricePerCreditUsd: '0.0000007',
      networks: [],
      perCallMinimumUsd: '0.01',
    }) as { paths: Record<string, { post: { description: string; security: object[] } }> };
    for (const path of paths.map((each) => `/api/v1/${each}`)) {
      expect(urls).not.toContain(LISTING.origin + path);
      const missing = /This gateway has no [a-z]+ model, so every request is refused/;
      expect(text.split('\n').find((line) => line.includes(`POST ${path}]`))).toMatch(missing);
      expect(soldAt(path)).toMatchObject({ description: expect.stringMatching(missing), warning: expect.anything() });
      expect(soldAt(path)).not.toHaveProperty('bazaar');
      expect(described[path]?.post).not.toHaveProperty('x-payment-info');
      expect(described[path]?.post.description).toMatch(missing);
      expect(described[path]?.post.security).not.toContainEqual({ payment: [] });
    }
    expect(urls).toHaveLength(payableUrls(LISTING).length - paths.length);
    expect([offerOf(routes), offerOf(offered)].map((offer) => offer.includes(word))).toEqual([true, false]);
  });

  it('is also a model without a server, and a server without a model', () => {
    const lacking = (images: object) =>
      offeredRoutes(routes, stock([], { images })).filter(({ docs }) => docs?.POST?.missing);
    expect(lacking({ ...some, upstreams: [] })).toHaveLength(2);
    expect(lacking({ ...some, models: new Map() })).toHaveLength(2);
  });

  it('is not embeddings where enclaves encrypt whole requests', () =>
    expect(offeredRoutes(routes, stock(['embeddings'], { inference: sealed }))).toEqual(routes));
});
