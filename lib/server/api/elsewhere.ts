import { apiError } from '@/lib/protocol/errors';
import { askedOrigin, type GatewayRules } from '../auth/sign-in-rules';
import type { Call } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';

const BASE = '/api/v1';
const PATH_CHARACTERS_MAX = 200;

const below =
  (base: string) =>
  ({ path }: Pick<Call, 'path'>): string =>
    `${base}${path.slice(0, PATH_CHARACTERS_MAX)}`;

/** Paths that could be the API's base. Agents send HEAD requests to them to find the API. */
const BASES: ReadonlySet<string> = new Set(['/api', '/v1', BASE]);

/** Paths below the base URL. Clients that know only the origin omit the base. */
const WITHOUT_BASE = [
  '/models',
  '/models/{id}',
  '/chat/completions',
  '/completions',
  '/responses',
  '/responses/{id}',
  '/messages',
  '/messages/{call}',
  '/embeddings',
  '/audio/{call}',
  '/images/{call}',
  '/image/{call}',
  '/video/{call}',
  '/crypto/rpc/{network}',
  '/tee/{call}',
  '/tee/{call}/{id}',
  '/receipts/{id}',
  '/characters',
  '/characters/{slug}',
  '/characters/{slug}/{part}',
  '/api_keys',
  '/api_keys/{call}',
  '/billing/{call}',
  '/x402/{call}',
  '/x402/{call}/{wallet}',
];

/** Wrong paths that clients commonly request, each with a function that returns the right path. */
const HABITS: readonly [path: string, here: (call: Call) => string][] = [
  ...['/v1', '/v1/{a}', '/v1/{a}/{b}', '/v1/{a}/{b}/{c}', '/v1/{a}/{b}/{c}/{d}'].map(
    (path): [string, (call: Call) => string] => [path, below('/api')],
  ),
  ...WITHOUT_BASE.map((path): [string, (call: Call) => string] => [path, below(BASE)]),
  [
    '/rpc/{network}',
    ({ params }) => `${BASE}/crypto/rpc/${encodeURIComponent((params['network'] ?? '').slice(0, PATH_CHARACTERS_MAX))}`,
  ],
  ['/api', () => BASE],
  [BASE, () => BASE],
  ['/mcp', () => BASE],
];

export const elsewhereRoutes: readonly Route[] = HABITS.map(([path]) => ({ path }));

/** Returns endpoints at the wrong paths. Most answer with the right URL as JSON. */
export function elsewhere({ rules }: { rules: GatewayRules }): readonly Endpoint[] {
  return HABITS.map(([path, here]) => ({
    path,
    ANY: (call) => {
      if (call.method === 'HEAD' && BASES.has(path))
        return { status: 200, headers: { 'content-type': 'application/json' }, body: null };
      if (path === BASE) throw apiError('NOT_FOUND');
      const origin = askedOrigin(call, rules);
      throw apiError('WRONG_BASE_URL', {
        message: `The API is not at this path. The base URL of the API is ${origin}${BASE}.${here(call) === BASE ? '' : ` This endpoint is ${origin}${here(call)}.`}`,
        fields: { baseUrl: `${origin}${BASE}` },
      });
    },
  }));
}
