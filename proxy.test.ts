import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import { config, contentSecurityPolicy, proxy } from './proxy';

const policyOf = (path: string) =>
  proxy(new NextRequest(`http://localhost${path}`)).headers.get('content-security-policy') ?? '';

describe('pages are served under a strict policy', () => {
  it('never repeats a nonce', () => {
    const nonces = Array.from({ length: 50 }, () => /'nonce-([^']+)'/.exec(policyOf('/'))?.[1]);
    expect(new Set(nonces).size).toBe(50);
    expect(nonces.every((nonce) => nonce !== undefined && Buffer.from(nonce, 'base64').length === 16)).toBe(true);
  });

  it('admits no inline script, no eval and no other origin in production', () => {
    const policy = contentSecurityPolicy('n', { isDevelopment: false, hasWalletConnect: false });
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src'));
    expect(scripts).toBe("script-src 'self' 'nonce-n' 'strict-dynamic'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it("admits WalletConnect's servers where the operator has a project there, and nobody else's", () => {
    const directives = contentSecurityPolicy('n', { isDevelopment: false, hasWalletConnect: true }).split('; ');
    expect(directives.find((directive) => directive.startsWith('connect-src'))).toMatch(
      /^connect-src 'self' wss:\/\/relay\.walletconnect\.org( https:\/\/[a-z]+\.walletconnect\.org)+$/,
    );
    expect(
      directives.filter((directive) => /walletconnect/.test(directive)).map((directive) => directive.split(' ')[0]),
    ).toEqual(['connect-src', 'frame-src']);
    expect(directives.join('; ')).not.toMatch(/\*|unsafe-eval/);
  });

  it('sets the usual security headers', () => {
    const { headers } = proxy(new NextRequest('http://localhost/rpc'));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });
});

it('pages that are asked for as a prefetch are no exception: a cache shows them later', () => {
  expect(config.matcher.map((matcher) => Object.keys(matcher))).toEqual([['source']]);
});

it('the nonce is no word of the client', () => {
  const forged = { 'x-nonce': 'forged', 'content-security-policy': "script-src 'nonce-forged'" };
  const { headers } = proxy(new NextRequest('http://localhost/rpc', { headers: forged }));
  expect(headers.get('content-security-policy')).not.toContain('forged');
  expect(headers.get('x-middleware-request-x-nonce')).toMatch(/^[\w+/]{22}==$/);
  expect(headers.get('x-middleware-request-content-security-policy')).toBe(headers.get('content-security-policy'));
});

describe('the policy concerns pages only', () => {
  const source = new RegExp(`^${config.matcher[0]?.source}$`);

  it.each(['/', '/rpc', '/apiary', '/rpc/icon.svg.html'])('covers %s', (path) => expect(source.test(path)).toBe(true));
  it.each(['/api/v1/crypto/rpc/base-mainnet', '/api', '/_next/static/chunk.js', '/icon.svg'])(
    'leaves %s alone',
    (path) => expect(source.test(path)).toBe(false),
  );
});
