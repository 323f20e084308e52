import { request as httpRequest } from 'node:http';
import { decodeJwt } from 'jose';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { type MintWish, termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { gatewayOfFile, serve } from '@/test/test-gateway';
import { nodeListener } from '../../http/node-adapter';

const PATH = '/api/v1/api_keys/generate_web3_key';
const NETWORK = 'base-mainnet';
const CONTRACT = `0x${'01'.repeat(20)}`;
const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const ASKED_FOR: MintWish = {
  apiKeyType: 'INFERENCE',
  description: 'bot',
  limitPeriod: 'EPOCH',
  consumptionLimit: { usd: 1, diem: null },
  allow: { endpoints: ['rpc'] },
};

interface Answer {
  status: number;
  json: { data: { token: string; apiKeyType: string }; error: string; code: string; hint: string; details: unknown };
}

/** Serves a gateway with two public origins. Requests may have any Host header. */
async function served() {
  const deployment = {
    network: NETWORK,
    primary: true,
    stakeToken: CONTRACT,
    staking: CONTRACT,
    dailyCreditToken: CONTRACT,
    dailyCreditPool: CONTRACT,
  };
  const settings = {
    limits: { publicRequestsPerMinutePerIp: 1_000 },
    staking: { deployments: [deployment] },
    networks: { [NETWORK]: { upstreams: ['http://127.0.0.1:9'], chainIdentity: false } },
    rpc: { healthChecks: { intervalMs: 0 } },
  };
  const stake = {
    holdsStake: () => Promise.resolve(true),
    dailyCreditStake: () => Promise.resolve({ staked: 0n, total: 0n, decimals: 18 }),
  };
  const gateway = await gatewayOfFile(settings, {
    env: { PUBLIC_URL: 'https://one.example, https://two.example:8443' },
    substitutes: { stake },
  });
  const { port } = await serve(nodeListener(gateway));
  const ask = (
    method: string,
    { query = '', host = 'one.example', body }: { query?: string; host?: string; body?: unknown } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asking = httpRequest(
        {
          port,
          host: '127.0.0.1',
          method,
          path: PATH + query,
          headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as Answer['json'] }),
          );
        },
      );
      asking.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const tokenFor = async (query = ''): Promise<string> => (await ask('GET', { query })).json.data.token;
  const post = async (token: string, terms: object): Promise<Answer> =>
    ask('POST', {
      body: { ...terms, token, address: wallet.address, signature: await wallet.signMessage({ message: token }) },
    });
  return { ask, tokenFor, post };
}

describe('a token of minting', () => {
  it('names the public origin under which the gateway was asked, and never another host', async () => {
    const { ask } = await served();
    const originFor = async (host: string) => decodeJwt((await ask('GET', { host })).json.data.token)['origin'];
    expect(await originFor('one.example')).toBe('https://one.example');
    expect(await originFor('TWO.example:8443')).toBe('https://two.example:8443');
    for (const host of ['evil.example', 'two.example', 'one.example:8443', 'one.example.evil.example'])
      expect(await originFor(host)).toBe('https://one.example');
  });

  it('that was asked for with a digest has it, and mints a key on these terms alone', async () => {
    const { tokenFor, post } = await served();
    const token = await tokenFor(`?termsSha256=${termsDigest(ASKED_FOR)}`);
    expect(decodeJwt(token)['termsSha256']).toBe(termsDigest(ASKED_FOR));
    const others = [
      { ...ASKED_FOR, apiKeyType: 'ADMIN' },
      { ...ASKED_FOR, consumptionLimit: { usd: 1_000, diem: null } },
      { ...ASKED_FOR, consumptionLimit: undefined },
      { ...ASKED_FOR, allow: undefined },
      { ...ASKED_FOR, limitPeriod: undefined },
      { ...ASKED_FOR, expiresAt: '2999-01-01' },
    ];
    for (const terms of others) {
      expect(await post(token, terms)).toMatchObject({
        status: 400,
        json: {
          code: 'MINT_TOKEN_CLAIMS_INVALID',
          error: expect.stringMatching(/^JWT claims are invalid: the token was issued for different terms/) as string,
          hint: expect.stringContaining('SHA-256') as string,
        },
      });
    }
    expect(await post(token, Object.fromEntries(Object.entries(ASKED_FOR).reverse()))).toMatchObject({
      status: 200,
      json: { data: { apiKeyType: 'INFERENCE' } },
    });
  });

  it('lets a key spend prepaid money only where it is bound to that', async () => {
    const { tokenFor, post } = await served();
    const terms: MintWish = { apiKeyType: 'INFERENCE', prepaidLimitUsd: 2.5, limitPeriod: 'EPOCH' };
    expect(await post(await tokenFor(), terms)).toMatchObject({
      status: 400,
      json: {
        code: 'MINT_TOKEN_CLAIMS_INVALID',
        error: expect.stringContaining('needs a token that is bound to the terms of the key') as string,
      },
    });
    const token = await tokenFor(`?termsSha256=${termsDigest(terms)}`);
    expect(await post(token, { ...terms, prepaidLimitUsd: 250 })).toMatchObject({ status: 400 });
    expect(await post(token, terms)).toMatchObject({ status: 200, json: { data: { prepaidLimitUsd: 2.5 } } });
  });

  it.each([-1, '5', 1e300, true])('takes no prepaid limit of %j', async (prepaidLimitUsd) => {
    const { tokenFor, post } = await served();
    expect(await post(await tokenFor(), { apiKeyType: 'INFERENCE', prepaidLimitUsd })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_REQUEST' },
    });
  });

  it('that was asked for without one mints a key on any terms, as before', async () => {
    const { tokenFor, post } = await served();
    const token = await tokenFor();
    expect(decodeJwt(token)).not.toHaveProperty('termsSha256');
    expect(await post(token, { apiKeyType: 'ADMIN' })).toMatchObject({
      status: 200,
      json: { data: { apiKeyType: 'ADMIN' } },
    });
  });

  it.each(['', 'abc', 'A'.repeat(64), 'g'.repeat(64), 'a'.repeat(65), `${'a'.repeat(64)}%0A`])(
    'is not given for the digest %j',
    async (digest) => {
      const { ask } = await served();
      expect(await ask('GET', { query: `?termsSha256=${digest}` })).toMatchObject({
        status: 400,
        json: {
          code: 'INVALID_REQUEST',
          details: { termsSha256: { _errors: ['Must be a SHA-256 in 64 lower-case hex digits.'] } },
        },
      });
    },
  );
});
