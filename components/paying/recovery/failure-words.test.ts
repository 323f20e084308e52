import { describe, expect, it } from 'vitest';
import { UnreachableError } from '@/lib/client';
import { readGatewayError } from '@/lib/client/gateway-error';
import { wordsOn } from './failure-words';

/** Creates a refusal as the gateway sends it. */
function refusal(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return readGatewayError(
    { status, headers: new Headers({ 'x-request-id': 'r', ...headers }) },
    JSON.stringify({ error: 'Said by the gateway.', ...body }),
    1,
  );
}

const POOR_WALLET = refusal(402, {
  error: 'Payment required',
  code: 'PAYMENT_REQUIRED',
  reason: 'insufficient_balance',
  hint: 'Send "Authorization: Bearer <API_KEY>".',
  message: 'The wallet has 0.00 USD prepaid.',
  currentBalanceUsd: 0,
  minimumBalanceUsd: 0.000014,
});
const POOR_KEY = refusal(402, {
  code: 'INSUFFICIENT_BALANCE',
  error: 'The account has 0.00000000 USD to spend.',
  currentBalanceUsd: 0,
  minimumBalanceUsd: 0.01234,
});

describe('a call that nobody could pay', () => {
  it('is told with its price, without what programs are told, and solved by a top-up', () => {
    const words = wordsOn(POOR_WALLET, 'wallet');
    expect(words.title).toBe('The wallet’s balance is 0.00 USD, too low for this call.');
    expect(words.lines[0]).toBe(
      'This call can cost up to 0.000014 USD, which is held while it runs. You pay only the actual cost.',
    );
    expect([words.title, ...words.lines].join(' ')).not.toMatch(/Bearer|POST/);
    expect(words.remedies).toEqual(['top-up', 'key']);
  });

  it('by a key says that the key cannot spend what a wallet topped up, and offers the wallet', () => {
    const words = wordsOn(POOR_KEY, 'demo');
    expect(words.title).toBe('The account of this key has 0.00 USD left, too little for this call.');
    expect(words.lines.join(' ')).toContain('cannot spend what a wallet has topped up');
    expect(words.remedies).toEqual(['wallet', 'key']);
    expect(wordsOn(refusal(402, { code: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED' }), 'own').remedies).toEqual([
      'key',
      'wallet',
    ]);
  });

  it('after a sign-in has ended asks for another one, and for nothing else', () => {
    expect(wordsOn(refusal(402, { code: 'PAYMENT_REQUIRED', x402Version: 2 }), 'signed-out')).toMatchObject({
      title: 'The wallet’s sign-in has ended.',
      remedies: ['sign-in', 'key'],
      charge: 'none',
    });
  });

  it('without a credential asks who pays', () => {
    expect(wordsOn(refusal(402, { code: 'PAYMENT_REQUIRED', x402Version: 2 }), 'none')).toMatchObject({
      title: 'No payment method is chosen for this call.',
      remedies: ['wallet', 'key'],
      charge: 'none',
    });
  });
});

it('names no wallet and no top-up at a gateway where only keys pay', () => {
  const refusals = [
    POOR_KEY,
    POOR_WALLET,
    ...['PAYMENT_REQUIRED', 'API_KEY_USD_SPEND_LIMIT_EXCEEDED'].map((code) => refusal(402, { code })),
    ...['API_KEY_REVOKED', 'API_KEY_EXPIRED', 'INVALID_API_KEY', 'UNAUTHORIZED'].map((code) => refusal(401, { code })),
    refusal(403, { code: 'API_KEY_NOT_ALLOWED' }),
    refusal(429, { code: 'CREDIT_CAP' }),
  ];
  for (const error of refusals) {
    const { lines, remedies } = wordsOn(error, 'own', false, false);
    expect(remedies.filter((remedy) => remedy === 'wallet' || remedy === 'top-up')).toEqual([]);
    expect(remedies).toContain('key');
    expect(lines.join(' ')).not.toMatch(/wallet|top up|staking/i);
  }
});

it.each([
  ['API_KEY_REVOKED', 'The key was revoked.', 'key'],
  ['API_KEY_EXPIRED', 'The key has expired.', 'key'],
  ['INVALID_API_KEY', 'This gateway does not recognize the key.', 'key'],
  ['SIGN_IN_EXPIRED', 'The wallet’s sign-in has ended.', 'sign-in'],
  ['SIGN_IN_WRONG_DOMAIN', 'The gateway does not accept this sign-in.', 'sign-in'],
])('a 401 %s has a sentence and a control', (code, title, first) => {
  const words = wordsOn(refusal(401, { code }), 'own');
  expect([words.title, words.remedies[0]]).toEqual([title, first]);
});

describe('what passes', () => {
  it('says when, and can be waited for', () => {
    const atMs = 1_900_000_000_000;
    expect(
      wordsOn(refusal(429, { code: 'MINUTE_CAP' }, { 'x-ratelimit-reset': String(atMs / 1000) }), 'own'),
    ).toMatchObject({ remedies: ['wait'], readyAtMs: atMs });
    const busy = wordsOn(
      refusal(
        503,
        { code: 'MODEL_BUSY', hint: 'Nothing was charged. Try again after the time in Retry-After.' },
        { 'retry-after': '7' },
      ),
      'own',
    );
    expect(busy.remedies).toEqual(['wait']);
    expect(busy.lines).toEqual(['Nothing was charged. Try again in a moment.']);
    expect(Math.abs((busy.readyAtMs ?? 0) - Date.now() - 7000)).toBeLessThan(2000);
    expect(wordsOn(refusal(503, { code: 'STORE_UNAVAILABLE' }), 'own').remedies).toEqual(['send']);
  });

  it('takes no wait of a foreign hand that would never end', () => {
    for (const retryAfter of ['-1', '1e12', 'soon'])
      expect(wordsOn(refusal(503, { code: 'MODEL_BUSY' }, { 'retry-after': retryAfter }), 'own').readyAtMs).toBeNull();
  });
});

it('a wrong host name shows its cure, in the words of the gateway', () => {
  expect(
    wordsOn(refusal(421, { code: 'WRONG_HOST', hint: 'Use localhost, or set PUBLIC_URL.' }), 'demo'),
  ).toMatchObject({ title: 'Said by the gateway.', lines: ['Use localhost, or set PUBLIC_URL.'], remedies: ['send'] });
});

it('an answer that broke off may have been charged, and is sent again under an Idempotency-Key where that is possible', () => {
  const broken = new UnreachableError('http://gateway.example', false, { hasBegun: true });
  expect(wordsOn(broken, 'demo', true)).toMatchObject({ charge: 'unknown', remedies: ['send-once'] });
  expect(wordsOn(broken, 'demo')).toMatchObject({ charge: 'unknown', remedies: ['send'] });
});

it('a fault of a library is never shown in its own words', () => {
  expect(wordsOn(new TypeError("Cannot read properties of undefined (reading 'x')"), 'demo').title).toBe(
    'This page could not make the call.',
  );
});
