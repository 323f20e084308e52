import { type Attack, judge } from './attack';
import type { Target } from './target';
import { ask, newAddress, type Question } from './wire/ask';
import { burst, counted } from './wire/burst';

const TOP_UP = 'api/v1/x402/top-up';
/** Path prefixes that some routers normalize and others do not. */
const WAYS = ['/', '/./', '/x/../', '/%2e/', '/_next/../', '/a/%2e%2e/', '//', '/.//', '/%2E%2E/', '/;/../'];
const INNER = [
  'x-turnpike-peer',
  'x-turnpike-path',
  'x-turnpike-method',
  'x-middleware-subrequest',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
];
/**
 * Limits of each profile: requests per minute that one address may send to public endpoints, and the larger number that
 * an attack sends.
 */
const LIMITS = { live: { limit: 30, requests: 150 }, sandbox: { limit: 600, requests: 1_200 } } as const;

export const PATH_ATTACKS: readonly Attack[] = [
  {
    id: 'path-inner-headers',
    title: 'Headers by which a gateway talks to itself, sent by a client, over paths written in odd ways',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const honest = await ask(target, { path: '/api/health' });
      const found: string[] = [];
      for (const way of WAYS) {
        const path = `${way}api/v1/models`;
        const [moved, verb] = await Promise.all([
          ask(target, {
            path,
            headers: {
              'x-turnpike-path': '/api/health',
              'x-original-url': '/api/health',
              'x-rewrite-url': '/api/health',
            },
          }),
          ask(target, {
            path: `${way}${TOP_UP}`,
            headers: { 'x-turnpike-method': 'POST', 'x-http-method-override': 'POST' },
          }),
        ]);
        if (moved.status === 200 && moved.text === honest.text) found.push(`${path} answered as another path`);
        if (verb.status === 402) found.push(`${way}${TOP_UP} answered another verb`);
      }
      return judge(
        found.length === 0,
        found.length
          ? `${found.length} times: ${found.slice(0, 4).join('; ')}`
          : `${WAYS.length * 2} tries were answered by their own path and verb`,
      );
    },
  },
  {
    id: 'path-faults',
    title: 'Odd paths, verbs and inner headers: none may be a fault of the gateway',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const tails = [
        TOP_UP,
        'api/v1/models',
        'api/',
        'api/v1/%',
        'api/v1/%ff',
        'api/v1/..%2f..%2f',
        `api/v1/${'a/'.repeat(500)}`,
        '%61pi/v1/models',
      ];
      const questions = WAYS.flatMap((way) =>
        tails.flatMap((tail) => ['GET', 'POST', 'PROPFIND'].map((method) => ({ method, path: `${way}${tail}` }))),
      );
      const answers = await burst(questions.length, (index) => {
        const { method = 'GET', path = '/' } = questions[index] ?? {};
        return ask(target, {
          method,
          path,
          headers: Object.fromEntries(INNER.map((name) => [name, index % 2 ? '/api/v1/models' : '%'])),
        });
      });
      const faults = answers.flatMap(({ status }, index) =>
        status >= 500 && status !== 501
          ? [`${questions[index]?.method} ${questions[index]?.path.slice(0, 60)} ${status}`]
          : [],
      );
      return judge(
        faults.length === 0,
        faults.length
          ? `${faults.length} faults: ${faults.slice(0, 4).join('; ')}`
          : `${answers.length} requests: ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
];

/** Attacks that use up an address's limit per minute. They must run last if all attacks share one address. */
export const LIMIT_ATTACKS: readonly Attack[] = [
  {
    id: 'limit-by-odd-paths',
    title:
      'More top-ups from one address than it may have in a minute, over paths written in odd ways, under forged inner addresses',
    needs: [],
    isQuick: true,
    run: (target) =>
      limited(target, (index) => ({
        from: null,
        path: `${WAYS[index % WAYS.length]}${TOP_UP}`,
        headers: { 'x-turnpike-peer': `10.9.${index >> 8}.${index & 255}` },
      })),
  },
  {
    id: 'limit-by-forwarded-words',
    title: 'The same from one address that says it is others, in words that no proxy wrote',
    needs: [],
    isQuick: true,
    run: (target) => {
      const from = newAddress();
      return limited(target, (index) => {
        const forged = `10.8.${index >> 8}.${index & 255}`;
        return {
          path: `/${TOP_UP}`,
          headers: {
            'x-forwarded-for': `${forged}, ${from}`,
            forwarded: `for=${forged}`,
            'x-real-ip': forged,
            'x-client-ip': forged,
            'cf-connecting-ip': forged,
            'true-client-ip': forged,
          },
        };
      });
    },
  },
  {
    id: 'limit-by-forms-of-an-address',
    title: '80 top-ups from one address in many forms: mapped, with a port, in brackets, and from its own /64',
    needs: ['live limits'],
    isQuick: true,
    run: async (target) => {
      const four = newAddress();
      const [a, b, c, d] = four.split('.').map(Number) as [number, number, number, number];
      const groups = ((a << 8) | b).toString(16) + ':' + ((c << 8) | d).toString(16);
      const fours = [
        four,
        `${four}:4711`,
        `::ffff:${four}`,
        `[::ffff:${four}]:80`,
        `::FFFF:${groups}`,
        `"${four}"`,
        ` ${four} `,
        `0:0:0:0:0:ffff:${groups}`,
      ];
      const sixes = Array.from({ length: 8 }, (_, index) => [
        `2001:db8:${groups}:${index + 1}::1`,
        `2001:DB8:${groups}::${index + 1}`,
        `[2001:db8:${groups}:0:0:${index + 1}:0:1]:443`,
      ]).flatMap(([, ...same]) => same);
      const served = async (forms: readonly string[]) =>
        (
          await burst(
            40,
            (index) => ask(target, { method: 'POST', path: `/${TOP_UP}`, from: forms[index % forms.length] ?? four }),
            4,
          )
        ).map(({ status }) => status);
      const [byFour, bySix] = [await served(fours), await served(sixes)];
      return judge(
        [byFour, bySix].every((statuses) => statuses.filter((status) => status === 402).length <= 30),
        `of 40 each, IPv4 ${counted(byFour)}; IPv6 of one /64 ${counted(bySix)}; the limit is 30`,
      );
    },
  },
];

async function limited(target: Target, question: (index: number) => Question) {
  const { limit, requests } = LIMITS[target.profile === 'live' ? 'live' : 'sandbox'];
  const answers = await burst(requests, (index) => ask(target, { method: 'POST', ...question(index) }));
  const statuses = answers.map(({ status }) => status);
  const served = statuses.filter((status) => status === 402).length;
  return judge(served <= limit, `${served} were served, the limit is ${limit}: ${counted(statuses)}`);
}
