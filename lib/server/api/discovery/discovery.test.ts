import { describe, expect, it } from 'vitest';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { routes } from '..';
import { llmsText } from './discovery';
import { payableUrls } from './sold-endpoints';

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
