/** Router state that Next's client sends from the page `/rpc`. */
export const ROUTER_STATE = encodeURIComponent(
  JSON.stringify(['', { children: ['rpc', { children: ['__PAGE__', {}, null, null] }, null, null] }, null, null, 16]),
);

/** Internal headers of several versions of Next, and other headers that change its answers. */
const NAMES = [
  ...[
    'rsc',
    'next-router-state-tree',
    'next-router-prefetch',
    'next-router-segment-prefetch',
    'next-hmr-refresh',
    'next-url',
    'next-action',
    'next-resume',
    'next-test',
    'next-instant-navigation-testing',
  ],
  ...[
    'x-nextjs-data',
    'x-nextjs-request-id',
    'x-nextjs-html-request-id',
    'x-nextjs-rewritten-path',
    'x-nextjs-rewritten-query',
    'x-nextjs-postponed',
    'x-nextjs-prerender',
    'x-nextjs-cache',
    'x-nextjs-stale-time',
    'x-next-resume-state-length',
    'x-next-cache-tags',
    'x-next-revalidated-tags',
    'x-next-revalidate-tag-token',
  ],
  ...[
    'x-middleware-subrequest',
    'x-middleware-subrequest-id',
    'x-middleware-rewrite',
    'x-middleware-redirect',
    'x-middleware-next',
    'x-middleware-skip',
    'x-middleware-set-cookie',
    'x-middleware-override-headers',
    'x-middleware-request-x',
    'x-middleware-invoke',
    'x-middleware-prefetch',
    'x-middleware-cache',
  ],
  ...[
    'x-invoke-path',
    'x-invoke-status',
    'x-invoke-query',
    'x-invoke-output',
    'x-invoke-error',
    'x-matched-path',
    'x-now-route-matches',
    'x-prerender-revalidate',
    'x-prerender-revalidate-if-generated',
    'x-vercel-id',
    'x-action-forwarded',
    'x-action-redirect',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-invocation-id',
    'cookie',
    'accept',
    'range',
    'if-none-match',
    'purpose',
    'traceparent',
    'x-nonce',
  ],
];

/** Valid and invalid values of these headers. */
const VALUES = [
  '',
  '0',
  '1',
  '2',
  '3',
  'true',
  'null',
  '[]',
  '{}',
  '%',
  '%ff',
  '/',
  '//',
  '//evil.example/',
  '/rpc',
  '/api/health',
  '/_tree',
  '/_index',
  '/_head',
  '/_full',
  '/rpc/__PAGE__',
  '/../api/health',
  'http://127.0.0.1:1/',
  'proxy:proxy:proxy:proxy:proxy',
  'src/proxy',
  '500',
  '404',
  ROUTER_STATE,
  '["",{}]',
  encodeURIComponent('["",{"children":["x",{"a":["y",{}]}]},null,"refetch"]'),
  encodeURIComponent('["",{},["/api/health",""],"metadata-only",-1]'),
  '__prerender_bypass=1; next-instant-navigation-testing=[0,"x",null]',
  'next-instant-navigation-testing=x',
  'x'.repeat(2_000),
  'bytes=0-',
  '*',
  '\u00e9',
  "'nonce-x'",
];

/** Returns a generator of random numbers below a bound. The same seed gives the same numbers. */
export function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** Returns some of these headers with random values. Most results contain `rsc`. */
export function randomOrders(draw: (below: number) => number): Record<string, string> {
  const headers = Object.fromEntries(
    Array.from({ length: 1 + draw(5) }, () => [
      NAMES[draw(NAMES.length)] as string,
      VALUES[draw(VALUES.length)] as string,
    ]),
  );
  return draw(3) > 0 ? { ...headers, rsc: '1' } : headers;
}
