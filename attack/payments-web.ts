import { type Attack, held, judge } from './attack';
import { openBooks } from './books';
import { BASE } from './chains/chains';
import { evmSignIn, fundedEvmAccount } from './chains/evm-account';
import { acceptedOn, encodePayment, evmPayment, present, reasonOf, wakeChain } from './chains/payments';
import { methodsOf } from './stage/recorder';
import { chainsOf, ownOf } from './target';
import { ask, askJson, type Question } from './wire/ask';
import { beside } from './wire/bystander';
import { burst, counted } from './wire/burst';

/**
 * The attacks in this file come from the literature on the boundary between HTTP and x402 payments (arXiv 2605.11781,
 * 2605.30998).
 */

const TOP_UP = '/api/v1/x402/top-up';
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const OPEN_MAX = 30;
const CALLS_PER_REFUSAL_MAX = 20;

const unpaid: Question[] = [
  {
    method: 'POST',
    path: RPC,
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{}]}',
    headers: { 'content-type': 'application/json' },
  },
  {
    method: 'POST',
    path: '/api/v1/chat/completions',
    body: '{"model":"guide","messages":[{"role":"user","content":"hello"}]}',
    headers: { 'content-type': 'application/json' },
  },
];

export const WEB_ATTACKS: readonly Attack[] = [
  {
    id: 'two-payment-headers',
    title: 'Two payments of different wallets in one request, under two names and twice under one',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      await wakeChain(target);
      const accepted = await acceptedOn(target);
      const accounts = await Promise.all([fundedEvmAccount(chainsOf(target)), fundedEvmAccount(chainsOf(target))]);
      const payers = await Promise.all(
        accounts.map(async (account) => ({
          address: account.address.toLowerCase(),
          signIn: await evmSignIn(target, account),
        })),
      );
      const books = await openBooks(target, accepted, payers);
      const [one = '', two = ''] = await Promise.all(
        accounts.map(async (account) => (await evmPayment(accepted, account)).header),
      );
      const combinations = [
        { 'payment-signature': one, 'x-payment': two },
        { 'payment-signature': [one, two] },
        { 'x-payment': `${one}, ${two}` },
        { 'x-402-payment': two, 'payment-signature': encodePayment({}) },
      ];
      const answers = [];
      for (const headers of combinations) answers.push(await ask(target, { method: 'POST', path: TOP_UP, headers }));
      return books.verdict(answers.map(reasonOf).join(', '));
    },
  },
  {
    id: 'oversized-headers',
    title: 'Payment and sign-in headers of 12 kB to 1 MB, 60 of them, while others are served',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const names = ['payment-signature', 'sign-in-with-x', 'authorization'];
      const statuses: number[] = [];
      const { worstMs, isBearable } = await beside(target, () =>
        burst(60, async (index) => {
          const value = 'A'.repeat([12_000, 15_000, 60_000, 1_000_000][index % 4] ?? 0);
          statuses.push(
            (
              await ask(target, {
                method: 'POST',
                path: TOP_UP,
                headers: { [names[index % names.length] ?? '']: value },
              })
            ).status,
          );
        }),
      );
      const isHeld = isBearable && statuses.every((status) => status === 0 || (status >= 400 && status < 500));
      return judge(isHeld, `${counted(statuses)}; others waited ${worstMs.toFixed(0)} ms at most`);
    },
  },
  {
    id: 'work-before-payment',
    title: 'Paid calls without a credential, and with payments that are worth nothing: what they have upstreams do',
    needs: ['own gateway'],
    isQuick: true,
    run: async (target) => {
      const startedMs = performance.now();
      const worthless = [
        {},
        { 'payment-signature': encodePayment({}) },
        { 'x-payment': 'AAAA' },
        { authorization: 'Bearer unknown' },
      ];
      const answers = await Promise.all(
        unpaid.flatMap((question) =>
          worthless.map((headers) => ask(target, { ...question, headers: { ...question.headers, ...headers } })),
        ),
      );
      const { recorder } = ownOf(target);
      const work = [...recorder.since(startedMs, '/scripted'), ...recorder.since(startedMs, '/guide/v1/chat')].filter(
        ({ body }) =>
          !body.includes('eth_chainId') && !body.includes('eth_blockNumber') && !body.includes('eth_syncing'),
      );
      return judge(
        !work.some(({ body }) => /eth_getLogs|messages/.test(body)) &&
          answers.every(({ status }) => status === 401 || status === 402 || status === 400),
        `${work.length} calls upstream; ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
  {
    id: 'cached-payment-required',
    title: 'Whether a cache in between may keep a 402, or the answer to a payment, and give it to others',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const questions: Question[] = [
        { method: 'POST', path: TOP_UP },
        { method: 'POST', path: TOP_UP, headers: { 'payment-signature': 'AAAA' } },
        ...unpaid,
        { path: '/api/v1/x402/balance/0x0000000000000000000000000000000000000001' },
      ];
      const answers = await Promise.all(questions.map((question) => ask(target, question)));
      const keepable = answers.filter(({ headers }) => !/no-store/.test(headers['cache-control'] ?? ''));
      return judge(keepable.length === 0, `${answers.length - keepable.length} of ${answers.length} say no-store`);
    },
  },
  {
    id: 'poisoned-host',
    title: 'Requests that name another host, in Host and in the headers of proxies, and what discovery then names',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const evil = 'evil.example';
      const headers = [
        { host: evil },
        { 'x-forwarded-host': evil },
        { forwarded: `host=${evil}` },
        { 'x-original-url': `https://${evil}/`, 'x-host': evil },
      ];
      const paths: Question[] = [
        { method: 'POST', path: TOP_UP },
        ...unpaid,
        { path: '/api/v1/openapi.json' },
        { path: '/' },
      ];
      const answers = await Promise.all(
        paths.flatMap((question) =>
          headers.map((each) => ask(target, { ...question, headers: { ...question.headers, ...each } })),
        ),
      );
      const poisoned = answers.filter(
        ({ text, headers: answered }) =>
          text.includes(evil) ||
          JSON.stringify(answered).includes(evil) ||
          decoded(answered['payment-required']).includes(evil),
      );
      return judge(poisoned.length === 0, `${poisoned.length} of ${answers.length} answers name ${evil}`);
    },
  },
  {
    id: 'open-payments-of-one-payer',
    title:
      '60 payments of one payer, each valid by itself, whose facilitator never settles them: how many are kept open',
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      await wakeChain(target);
      const { facilitator } = ownOf(target);
      if (!facilitator) return held('there is no facilitator');
      const accepted = await acceptedOn(target);
      const account = await fundedEvmAccount(chainsOf(target));
      const payments = await Promise.all(Array.from({ length: 60 }, () => evmPayment(accepted, account)));
      const asked = facilitator.asked.length;
      const fail = () =>
        Promise.resolve({ body: { success: false, errorReason: 'busy', transaction: '', network: BASE.caip2 } });
      const answers = await facilitator.behaving(fail, () =>
        burst(payments.length, (index) => present(target, payments[index]?.header ?? ''), payments.length),
      );
      const nonces = new Set(facilitator.asked.slice(asked).map(({ payload }) => payload.authorization?.nonce));
      return judge(
        nonces.size <= OPEN_MAX,
        `${nonces.size} of them were opened and sent to the facilitator; ${counted(answers.map(reasonOf))}`,
      );
    },
  },
  {
    id: 'calls-per-refused-payment',
    title: '40 forged payments from one address: how often the nodes are asked',
    needs: ['chains', 'own gateway'],
    isQuick: true,
    run: async (target) => {
      const accepted = await acceptedOn(target);
      const account = await fundedEvmAccount(chainsOf(target));
      const { header } = await evmPayment(accepted, account);
      const startedMs = performance.now();
      const count = 40;
      const answers = await burst(
        count,
        async () => {
          const other = await evmPayment(accepted, account);
          const forged = {
            ...(JSON.parse(Buffer.from(other.header, 'base64').toString()) as object),
            payload: {
              ...(JSON.parse(Buffer.from(header, 'base64').toString()) as { payload: object }).payload,
              signature: other.signature,
            },
          };
          return present(target, encodePayment(forged));
        },
        8,
      );
      const calls = methodsOf(ownOf(target).recorder.since(startedMs, '/evm')).length;
      return judge(
        calls <= count * CALLS_PER_REFUSAL_MAX,
        `${calls} calls of the nodes for ${count} forged payments; ${counted(answers.map(reasonOf))}`,
      );
    },
  },
  {
    id: 'unknown-keys',
    title: '300 unknown API keys, while others are served',
    needs: [],
    isQuick: true,
    run: async (target) => {
      const statuses: number[] = [];
      const { worstMs, isBearable } = await beside(target, () =>
        burst(300, async (index) => {
          statuses.push(
            (
              await askJson(
                target,
                RPC,
                { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
                { headers: { authorization: `Bearer guess-${index}-${Math.random()}` } },
              )
            ).status,
          );
        }),
      );
      return judge(
        isBearable && statuses.every((status) => status === 401 || status === 429),
        `${counted(statuses)}; others waited ${worstMs.toFixed(0)} ms at most`,
      );
    },
  },
];

function decoded(header: string | string[] | undefined): string {
  return Buffer.from(String(header ?? ''), 'base64').toString('utf8');
}
