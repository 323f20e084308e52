import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, judge } from './attack';
import { evmSignIn } from './chains/evm-account';
import type { Target } from './target';
import { type Answer, ask, askJson } from './wire/ask';
import { counted } from './wire/burst';

const PAGES = ['/', '/rpc', '/chat'];

export const PAGE_ATTACKS: readonly Attack[] = [
  {
    id: 'page-without-policy',
    title: 'Pages asked for as a prefetch, which a browser then shows: each must carry its Content Security Policy',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const headers = [
        {},
        { purpose: 'prefetch' },
        { 'sec-purpose': 'prefetch' },
        { 'next-router-prefetch': '1' },
        { 'next-router-prefetch': '1', purpose: 'prefetch' },
        { 'x-middleware-prefetch': '1' },
      ];
      const answers = await Promise.all(
        PAGES.flatMap((path) =>
          headers.map((each) => ask(target, { path, headers: { accept: 'text/html', ...each } })),
        ),
      );
      const bare = answers.filter(
        ({ status, headers: answered }) =>
          status === 200 && /html/.test(answered['content-type'] ?? '') && !answered['content-security-policy'],
      );
      return judge(
        bare.length === 0,
        `${bare.length} of ${answers.length} pages came without one; ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
  {
    id: 'page-broken-router-state',
    title: 'Pages asked for with a broken state of the router: none may be a fault of the gateway',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const states = [
        '%',
        '{',
        '[',
        '[]',
        'null',
        '%7B',
        '["",{}]',
        'A'.repeat(4_000),
        '%5B%22%22%2C%7B%7D%2Cnull%2C%22refetch%22%5D',
      ];
      const answers = await Promise.all(
        PAGES.flatMap((path) =>
          states.map((state) => asFollowed(target, path, { rsc: '1', 'next-router-state-tree': state })),
        ),
      );
      return judge(
        answers.every(({ status }) => status > 0 && status < 500),
        counted(answers.map(({ status }) => status)),
      );
    },
  },
  {
    id: 'challenge-of-another-host',
    title: 'What a client of 127.0.0.1 is asked to sign and where it is sent to pay: not another name',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const url = new URL(target.url);
      if (!/^(localhost|127\.0\.0\.1)$/.test(url.hostname)) return judge(true, 'it has one name only');
      url.hostname = '127.0.0.1';
      const numeric = { ...target, url: url.origin };
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
      const signIn = await evmSignIn(numeric, privateKeyToAccount(generatePrivateKey()));
      const path = '/api/v1/crypto/rpc/ethereum-mainnet';
      const answers = await Promise.all([
        askJson(numeric, path, body),
        askJson(numeric, path, body, { headers: signIn }),
        ask(numeric, { method: 'POST', path: '/api/v1/x402/top-up' }),
      ]);
      const named = answers.map(
        ({ text, headers }) =>
          `${text} ${Buffer.from(String(headers['payment-required'] ?? ''), 'base64').toString('utf8')}`,
      );
      const wrong = named.filter((text) => text.includes('localhost')).length;
      return judge(wrong === 0, `${wrong} of ${answers.length} answers of 402 name localhost`);
    },
  },
];

/**
 * Follows one redirect. The gateway redirects a request from the pages' router to the URL that matches the router state
 * in the headers.
 */
async function asFollowed(target: Target, path: string, headers: Record<string, string>): Promise<Answer> {
  const first = await ask(target, { path, headers });
  const location = first.headers.location;
  if (location === undefined) return first;
  const { pathname, search } = new URL(location, target.url);
  return ask(target, { path: pathname + search, headers });
}
