import { setTimeout as sleep } from 'node:timers/promises';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { refuses, scriptedModel } from '@/test/scripted-model';

const USD = 1_000_000_000;

/** Returns the sign-in of a new wallet. */
async function madeUpWallet(): Promise<Record<string, string>> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const issuedAt = new Date();
  const message = createSiweMessage({
    address: wallet.address,
    domain: 'gateway.test',
    uri: 'http://gateway.test',
    version: '1',
    chainId: 8453,
    nonce: '0123456789abcdef',
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + 600_000),
  });
  const payload = {
    address: wallet.address,
    message,
    signature: await wallet.signMessage({ message }),
    timestamp: issuedAt.getTime(),
    chainId: 8453,
  };
  return { 'sign-in-with-x': Buffer.from(JSON.stringify(payload)).toString('base64') };
}

async function openGateway(limits: object, answersAfterMs = 0) {
  const says = refuses(200, { signing_address: '0x00', text: 'a:b', signature: '0x12' });
  const enclave = await scriptedModel(
    async (asked, response) => {
      await sleep(answersAfterMs);
      await says(asked, response);
    },
    [{ id: 'tee' }],
  );
  const stage = await chatGateway(
    { enclaveUpstreams: [{ name: 'enclave', url: enclave.url, key: 'enclave-secret' }] },
    USD,
    { limits, publicUrls: ['http://gateway.test'] },
  );
  let nonces = 0;
  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${stage.origin}/api/v1${path}`, { headers });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      json: (await response.json()) as Record<string, unknown>,
    };
  };
  return {
    ...stage,
    get,
    asked: (what: string) => enclave.asked.filter(({ path }) => path.includes(what)).length,
    attest: (headers: Record<string, string>, nonce = (++nonces).toString(16).padStart(64, '0')) =>
      get(`/tee/attestation?model=tee&nonce=${nonce}`, headers),
    sign: (headers: Record<string, string>) => get(`/tee/signature?model=tee&request_id=chatcmpl-${++nonces}`, headers),
    bearer: (key: string) => ({ authorization: `Bearer ${key}` }),
  };
}

describe('attestations, which are free', () => {
  it('are made for all made-up wallets together so many times a minute, and then refused with when to come back', async () => {
    const { attest, asked, bearer, key } = await openGateway({ strangerAttestationsPerMinute: 3 });
    const statuses: number[] = [];
    for (let at = 0; at < 6; at++) {
      const { status, retryAfter, json } = await attest(await madeUpWallet());
      statuses.push(status);
      if (status === 429)
        expect([json.code, Number(retryAfter) > 0, json.customMessage]).toEqual([
          'MINUTE_CAP',
          true,
          expect.stringContaining('all wallets without an account together'),
        ]);
    }
    expect([statuses, asked('attestation')]).toEqual([[200, 200, 200, 429, 429, 429], 3]);
    expect((await attest(bearer(key))).status).toBe(200);
  });

  it('are limited by address for callers who never put in money, and not for those who did', async () => {
    const { attest, bearer, key, caller } = await openGateway({ attestationsPerMinutePerIp: 2 });
    const known = bearer(await caller(0));
    const statuses: number[] = [];
    for (let at = 0; at < 3; at++) statuses.push((await attest(known)).status);
    expect(statuses).toEqual([200, 200, 429]);
    for (let at = 0; at < 5; at++) expect((await attest(bearer(key))).status).toBe(200);
  });

  it('over one nonce at the same time are made once', async () => {
    const { attest, asked, bearer, key } = await openGateway({}, 500);
    const answers = await Promise.all(Array.from({ length: 12 }, () => attest(bearer(key), 'ab'.repeat(32))));
    expect([new Set(answers.map(({ status }) => status)), asked('attestation')]).toEqual([new Set([200]), 1]);
  });

  it('of forty made-up wallets at once are refused but for a few, while a customer is answered', async () => {
    const { attest, bearer, key, asked } = await openGateway(
      { strangerAttestationsPerMinute: 1_000, attestationsPerMinutePerIp: 1_000 },
      100,
    );
    const wallets = await Promise.all(Array.from({ length: 40 }, madeUpWallet));
    const strangers = Promise.all(wallets.map((wallet) => attest(wallet)));
    for (let at = 0; at < 5; at++) expect((await attest(bearer(key))).status).toBe(200);
    const busy = (await strangers).filter(
      ({ status, json, retryAfter }) => status === 429 && json.code === 'ATTESTATION_BUSY' && Number(retryAfter) > 0,
    );
    expect(busy.length).toBeGreaterThanOrEqual(20);
    expect(asked('attestation')).toBeLessThanOrEqual(25);
  });
});

it('signatures are limited by address for made-up wallets, and not for callers with an account', async () => {
  const { sign, bearer, caller } = await openGateway({ attestationsPerMinutePerIp: 2 });
  const known = bearer(await caller(0));
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) statuses.push((await sign(await madeUpWallet())).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  for (let at = 0; at < 5; at++) expect((await sign(known)).status).toBe(200);
});

it('made-up wallets share the requests of their address, of every endpoint that charges nothing', async () => {
  const { get, bearer, key } = await openGateway({ strangerRequestsPerMinutePerIp: 3 });
  const statuses: number[] = [];
  for (const path of ['/billing/balance', '/billing/usage', '/api_keys', '/billing/balance'])
    statuses.push((await get(path, await madeUpWallet())).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await get('/billing/balance', bearer(key))).status).toBe(200);
});
