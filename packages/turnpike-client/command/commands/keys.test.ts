import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { runCommand } from '@/test/customer-command';

const TERMS = {
  apiKeyType: 'INFERENCE',
  description: 'Bot',
  limitPeriod: 'EPOCH',
  consumptionLimit: { usd: 1 },
} as const;

/** Runs `keys mint` at a gateway that returns this token. @returns the exit code, the output, and the request bodies */
async function mintAt(
  tokenOf: (origin: string) => string | Promise<string>,
  minted: object = { apiKey: 'tpk_x', id: '7' },
  more: readonly string[] = [],
) {
  const posted: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on(
      'end',
      () =>
        void (async () => {
          if (request.method === 'POST') posted.push(body);
          response.setHeader('content-type', 'application/json').end(
            JSON.stringify({
              success: true,
              data: request.method === 'POST' ? minted : { token: await tokenOf(origin) },
            }),
          );
        })(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { TURNPIKE_URL: origin, TURNPIKE_PRIVATE_KEY: `0x${'11'.repeat(32)}` };
  const outcome = await runCommand(['keys', 'mint', 'Bot', '--limit', '1', '--period', 'day', ...more], { env });
  return { ...outcome, posted };
}

const tokenFor = (claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ termsSha256: termsDigest(TERMS), ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('turnpike')
    .setAudience('turnpike:mint-api-key')
    .setIssuedAt()
    .setExpirationTime('15m')
    .setJti('j')
    .sign(new Uint8Array(32));

it('mints by a token for this gateway and these terms', async () => {
  const { code, out, posted } = await mintAt((origin) => tokenFor({ origin }));
  expect([code, out, posted.length]).toEqual([0, 'tpk_x\n', 1]);
  expect(JSON.parse(posted[0] ?? '')).toMatchObject(TERMS);
});

it.each<[string, (origin: string) => string | Promise<string>, RegExp]>([
  [
    'a sign-in message for another service',
    () => 'other.example wants you to sign in with your Ethereum account:\n0x',
    /is not a JWT/,
  ],
  [
    'a token that an honest gateway issued',
    () => tokenFor({ origin: 'https://honest.example' }),
    /the token has the origin "https:\/\/honest\.example", but was requested from http:\/\/127\.0\.0\.1:\d+/,
  ],
  [
    'a token for an ADMIN key',
    (origin) => tokenFor({ origin, termsSha256: termsDigest({ ...TERMS, apiKeyType: 'ADMIN' }) }),
    /not bound to the requested terms/,
  ],
])('sends no signature of %s, and says why', async (_what, tokenOf, sentence) => {
  const { code, out, err, posted } = await mintAt(tokenOf);
  expect([code, out, posted]).toEqual([3, '', []]);
  expect(err).toMatch(sentence);
  expect(err).toContain('Nothing was signed.');
});

it('prints no key that a terminal would obey', async () => {
  const { code, out } = await mintAt((origin) => tokenFor({ origin }), { apiKey: 'tpk_\u001b]0;title\u0007', id: '7' });
  expect([code, out]).toEqual([3, '']);
});

it('prints as JSON what a terminal would obey, escaped, for programs to read it as it was', async () => {
  const description = 'Bot \u001b]0;title\u0007 \u202e';
  const { code, out } = await mintAt((origin) => tokenFor({ origin }), { apiKey: 'tpk_x', id: '7', description }, [
    '--json',
  ]);
  expect([code, /[\u001b\u0007\u202e\ufffd]/.test(out)]).toEqual([0, false]);
  expect(JSON.parse(out)).toMatchObject({ description });
});
