import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '@/lib/protocol/errors';
import { listKeys, revokeKey } from './api-keys';
import { mintKey, mintRefusalOf, requestMintToken } from './minting';

let server: Server | undefined;
afterEach(() => server?.close());

interface Received {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  signIn: string | string[] | undefined;
  body: string;
}

/** Local gateway that gives one answer and records requests. */
async function gateway(status: number, body: unknown): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { authorization, 'sign-in-with-x': signIn } = request.headers;
      received.push({ method: request.method, url: request.url, authorization, signIn, body: text });
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r'.repeat(32) })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const request = { address: '0x', signature: '0x', token: 't', apiKeyType: 'INFERENCE' } as const;
const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('minting', () => {
  it('asks for a token and gives it unmodified', async () => {
    const { baseUrl, received } = await gateway(200, { success: true, data: { token: 'a.b.c' } });
    expect(await requestMintToken({ baseUrl })).toBe('a.b.c');
    expect(received[0]).toMatchObject({ method: 'GET', url: '/api/v1/api_keys/generate_web3_key' });
  });

  it('sends the request as it is and gives the key', async () => {
    const minted = { apiKey: 'tpk_x', id: '7' };
    const { baseUrl, received } = await gateway(200, { success: true, data: minted });
    expect(await mintKey({ baseUrl }, request)).toEqual(minted);
    expect(received[0]).toMatchObject({ method: 'POST', url: '/api/v1/api_keys/generate_web3_key' });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(request);
  });

  it('lists with the credential that it has, and only what was asked for in the query', async () => {
    const page = { success: true, data: [], pagination: { limit: 5, offset: 0, hasMore: false }, usageAsOf: '' };
    const { baseUrl, received } = await gateway(200, page);
    expect(await listKeys({ baseUrl, apiKey: 'k' })).toEqual(page);
    await listKeys({ baseUrl, signIn: 's' }, { limit: 5, offset: 10, includeRevoked: true });
    expect(received).toMatchObject([
      { method: 'GET', url: '/api/v1/api_keys', authorization: 'Bearer k' },
      { method: 'GET', url: '/api/v1/api_keys?limit=5&offset=10&includeRevoked=true', signIn: 's' },
    ]);
    expect(received[0]?.signIn).toBeUndefined();
    expect(received[1]?.authorization).toBeUndefined();
  });

  it('revokes by id, whatever is in it', async () => {
    const { baseUrl, received } = await gateway(200, { success: true });
    await revokeKey({ baseUrl, apiKey: 'k' }, '7&x=1');
    expect(received[0]).toMatchObject({ method: 'DELETE', url: '/api/v1/api_keys?id=7%26x%3D1' });
  });
});

describe('why a key was not minted', () => {
  const specified = [
    ['INVALID_WALLET_ADDRESS', 'Invalid wallet address', 'invalid-address'],
    ['MINT_TOKEN_EXPIRED', 'JWT has expired', 'token-expired'],
    ['MINT_TOKEN_SIGNATURE_INVALID', 'JWT signature is invalid', 'token-not-ours'],
    ['MINT_TOKEN_CLAIMS_INVALID', 'JWT claims are invalid', 'token-of-another-purpose'],
    ['MINT_TOKEN_MALFORMED', 'JWT is malformed', 'token-malformed'],
    ['WALLET_SIGNATURE_MISMATCH', 'Wallet signature does not match', 'signature-mismatch'],
    ['WALLET_SIGNATURE_UNVERIFIED', 'Could not verify wallet signature', 'signature-unverified'],
    ['WALLET_HAS_NO_STAKE', 'Wallet has no staked TPK on Base', 'no-stake'],
  ] as const;

  it.each(specified)(
    'is told by the code %s, and by the text of the specification alone',
    async (code, text, reason) => {
      const coded = await gateway(400, { error: 'Other words.', code });
      expect(mintRefusalOf(await rejectionOf(mintKey(coded, request)))).toMatchObject({ reason });
      server?.close();
      const uncoded = await gateway(400, { error: `Sorry: ${text}!` });
      expect(mintRefusalOf(await rejectionOf(mintKey(uncoded, request)))).toMatchObject({ reason });
    },
  );

  it.each(specified)('%s says the text of the specification', (code, text) => {
    expect(ERRORS[code as ErrorCode].error).toContain(code === 'WALLET_HAS_NO_STAKE' ? 'Wallet has no staked' : text);
  });

  it.each([
    [503, 'STAKE_UNAVAILABLE', 'wait'],
    [400, 'API_KEY_LIMIT_REACHED', 'revoke-a-key'],
    [400, 'INVALID_REQUEST', 'change-request'],
    [429, 'MINUTE_CAP', 'wait'],
  ] as const)('%s %s has its remedy', async (status, code, remedy) => {
    const refusing = await gateway(status, { error: 'x', code });
    expect(mintRefusalOf(await rejectionOf(mintKey(refusing, request)))).toMatchObject({ remedy });
  });

  it('is not known of a failure, or of a text under another status', async () => {
    expect(mintRefusalOf(new Error('JWT has expired'))).toBeNull();
    const failing = await gateway(500, { error: 'JWT has expired', code: 'INTERNAL' });
    expect(mintRefusalOf(await rejectionOf(mintKey(failing, request)))).toBeNull();
  });
});
