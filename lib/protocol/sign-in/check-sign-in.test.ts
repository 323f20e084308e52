import { describe, expect, it } from 'vitest';
import { isApiError } from '../errors';
import { buildSignIn, type SignInRequest } from './build-sign-in';
import { acceptedChainIds, checkSignIn, type SignInRules } from './check-sign-in';
import type { SignIn } from './payload';
import { readSignInHeader } from './payload';

const NOW = Date.UTC(2026, 0, 31, 12);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const RULES: SignInRules = {
  domains: new Set(['gate.example', 'localhost:3000', '[::1]:3000']),
  origins: new Set(['https://gate.example', 'http://localhost:3000', 'http://[::1]:3000']),
  chainIds: acceptedChainIds([8453, 'solana:mainnet', 31337]),
};

function signIn(request: Partial<SignInRequest> = {}, change: (made: SignIn) => Partial<SignIn> = () => ({})): SignIn {
  const made = readSignInHeader(
    buildSignIn({
      address: ADDRESS,
      uri: 'https://gate.example/api/v1/crypto/rpc/base-mainnet',
      now: NOW,
      ...request,
    }).header('0x01'),
  );
  return { ...made, ...change(made) };
}

const withMessage =
  (fields: Partial<SignIn['message']>) =>
  ({ message }: SignIn) => ({ message: { ...message, ...fields } });
const withoutExpiry = ({ message: { expirationTime: _expirationTime, ...message } }: SignIn) => ({ message });
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();

function refusal(made: SignIn, now = NOW) {
  try {
    checkSignIn(made, RULES, now);
  } catch (error) {
    if (isApiError(error)) return { code: error.code, sentence: error.message };
    throw error;
  }
  throw new Error('Accepted.');
}

describe('a sign-in is for this gateway', () => {
  it.each([
    'https://gate.example',
    'https://gate.example/',
    'https://gate.example/api/v1/chat/completions?x=1',
    'https://gate.example:443/a',
    'http://localhost:3000/a',
    'http://[::1]:3000',
  ])('%s holds', (uri) => {
    const domain = new URL(uri).host;
    expect(checkSignIn(signIn({}, withMessage({ uri, domain })), RULES, NOW)).toBe(NOW + 10 * MINUTE);
  });

  it('its domain in any case, and with the scheme of an origin', () => {
    expect(checkSignIn(signIn({}, withMessage({ domain: 'Gate.Example' })), RULES, NOW)).toBeGreaterThan(NOW);
    expect(checkSignIn(signIn({}, withMessage({ scheme: 'https' })), RULES, NOW)).toBeGreaterThan(NOW);
    expect(refusal(signIn({}, withMessage({ scheme: 'http' })))).toMatchObject({
      code: 'SIGN_IN_WRONG_DOMAIN',
      sentence: expect.stringContaining('scheme "http"') as string,
    });
  });

  it.each([
    'evil.example',
    'gate.example.evil.example',
    'evil.example:443',
    'gate.example:8443',
    'user@gate.example',
    'localhost',
    'localhost:3001',
    '127.0.0.1:3000',
    'gate.example.',
    'xn--gte-2na.example',
  ])('the domain %s does not hold', (domain) =>
    expect(refusal(signIn({}, withMessage({ domain })))).toMatchObject({
      code: 'SIGN_IN_WRONG_DOMAIN',
      sentence: expect.stringContaining(domain) as string,
    }),
  );

  it.each([
    'https://evil.example',
    'http://gate.example',
    'https://gate.example:8443',
    'https://user:pw@gate.example',
    'https://gate.example@evil.example',
    'ipfs://gate.example',
    'urn:gate.example',
    'https://gate.example.evil.example/',
  ])('the URI %s does not hold', (uri) =>
    expect(refusal(signIn({}, withMessage({ uri })))).toMatchObject({
      code: 'SIGN_IN_WRONG_DOMAIN',
      sentence: expect.stringContaining('URI') as string,
    }),
  );

  it('on a chain that it knows', () => {
    expect(checkSignIn(signIn({ chainId: 31337 }), RULES, NOW)).toBeGreaterThan(NOW);
    expect(refusal(signIn({ chainId: 1 }))).toMatchObject({
      code: 'SIGN_IN_WRONG_CHAIN',
      sentence: expect.stringContaining('eip155:8453') as string,
    });
    const devnet = {
      address: 'BSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW',
      chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    };
    expect(refusal(signIn(devnet)).code).toBe('SIGN_IN_WRONG_CHAIN');
    expect(checkSignIn(signIn({ ...devnet, chainId: 'solana:mainnet' }), RULES, NOW)).toBeGreaterThan(NOW);
  });
});

describe('a sign-in holds within its time', () => {
  it('until it expires, and not a millisecond longer', () => {
    const made = signIn({ lifetimeMs: 5 * MINUTE });
    expect(checkSignIn(made, RULES, NOW + 5 * MINUTE - 1)).toBe(NOW + 5 * MINUTE);
    expect(refusal(made, NOW + 5 * MINUTE)).toMatchObject({
      code: 'SIGN_IN_EXPIRED',
      sentence: expect.stringContaining('Expiration Time has passed') as string,
    });
    expect(refusal(made, NOW + HOUR).sentence).toContain('55 minutes ago');
  });

  it('for a day at most', () => {
    expect(checkSignIn(signIn({ lifetimeMs: 24 * HOUR }), RULES, NOW + 23 * HOUR)).toBe(NOW + 24 * HOUR);
    expect(refusal(signIn({ lifetimeMs: 24 * HOUR + 1 }))).toMatchObject({
      code: 'SIGN_IN_EXPIRED',
      sentence: expect.stringContaining('24 hours') as string,
    });
  });

  it('for 10 minutes where it does not say, counted from the earlier of Issued At and timestamp', () => {
    expect(checkSignIn(signIn({}, withoutExpiry), RULES, NOW)).toBe(NOW + 10 * MINUTE);
    expect(refusal(signIn({}, withoutExpiry), NOW + 10 * MINUTE)).toMatchObject({
      code: 'SIGN_IN_EXPIRED',
      sentence: expect.stringContaining('10 minutes') as string,
    });
    const older = { ...signIn({}, withoutExpiry), timestamp: NOW - 9 * MINUTE };
    expect(checkSignIn(older, RULES, NOW)).toBe(NOW + MINUTE);
    expect(refusal({ ...older, timestamp: NOW - 11 * MINUTE }).code).toBe('SIGN_IN_EXPIRED');
    const newer = { ...signIn({}, withoutExpiry), timestamp: NOW + 9 * MINUTE };
    expect(refusal(newer, NOW + 10 * MINUTE).code).toBe('SIGN_IN_EXPIRED');
    expect(checkSignIn({ ...signIn({}, withoutExpiry), timestamp: null }, RULES, NOW)).toBe(NOW + 10 * MINUTE);
  });

  it('not before it was issued, a minute of skew allowed', () => {
    expect(checkSignIn(signIn(), RULES, NOW - MINUTE)).toBeGreaterThan(NOW);
    expect(refusal(signIn(), NOW - MINUTE - 1)).toMatchObject({
      code: 'SIGN_IN_NOT_YET_VALID',
      sentence: expect.stringContaining('61 s in the future') as string,
    });
    expect(refusal({ ...signIn(), timestamp: NOW + 61 * SECOND })).toMatchObject({
      code: 'SIGN_IN_NOT_YET_VALID',
      sentence: expect.stringContaining('timestamp') as string,
    });
    expect(refusal(signIn({}, withMessage({ notBefore: at(2 * MINUTE) })))).toMatchObject({
      code: 'SIGN_IN_NOT_YET_VALID',
      sentence: expect.stringContaining('Not Before') as string,
    });
    expect(checkSignIn(signIn({}, withMessage({ notBefore: at(-1) })), RULES, NOW)).toBeGreaterThan(NOW);
  });

  it('with a timestamp of its own time: not in seconds, not older than it, not younger than its end', () => {
    for (const timestamp of [NOW / 1000, 0, NOW - 2 * MINUTE])
      expect(refusal({ ...signIn(), timestamp })).toMatchObject({
        code: 'SIGN_IN_EXPIRED',
        sentence: expect.stringContaining('timestamp') as string,
      });
    expect(refusal({ ...signIn({ lifetimeMs: SECOND }), timestamp: NOW + 30 * SECOND }).code).toBe('SIGN_IN_EXPIRED');
    expect(checkSignIn({ ...signIn(), timestamp: NOW - 59 * SECOND }, RULES, NOW)).toBeGreaterThan(NOW);
  });

  it('of which an expired one is told that it has expired, whatever its timestamp: a fresh one does not mend it', () => {
    const expired = signIn({}, withMessage({ issuedAt: at(-20 * MINUTE), expirationTime: at(-10 * MINUTE) }));
    for (const timestamp of [NOW, NOW - 15 * MINUTE, NOW / 1000])
      expect(refusal({ ...expired, timestamp })).toEqual({
        code: 'SIGN_IN_EXPIRED',
        sentence: 'The sign-in expired 10 minutes ago: its Expiration Time has passed.',
      });
  });

  it('which ends after it began: an Expiration Time at or before Issued At never holds, the skew of clocks notwithstanding', () => {
    const sentence = expect.stringContaining('not after its Issued At') as string;
    for (const [issuedAt, expirationTime] of [
      [50 * SECOND, 40 * SECOND],
      [30 * SECOND, 30 * SECOND],
      [SECOND, 1],
      [0, 0],
      [0, -MINUTE],
      [-MINUTE, -MINUTE],
    ] as const) {
      expect(
        refusal({
          ...signIn({}, withMessage({ issuedAt: at(issuedAt), expirationTime: at(expirationTime) })),
          timestamp: null,
        }),
      ).toMatchObject({ code: 'SIGN_IN_EXPIRED', sentence });
    }
    expect(
      refusal({
        ...signIn(
          {},
          withMessage({ issuedAt: '2026-01-31T12:00:30.0001Z', expirationTime: '2026-01-31T12:00:30.0009Z' }),
        ),
        timestamp: null,
      }),
    ).toMatchObject({ sentence });
    expect(
      refusal({
        ...signIn({}, withMessage({ issuedAt: '2026-01-31T13:00:30+01:00', expirationTime: '2026-01-31T12:00:30Z' })),
        timestamp: null,
      }),
    ).toMatchObject({ sentence });
    expect(
      checkSignIn(
        {
          ...signIn({}, withMessage({ issuedAt: at(30 * SECOND), expirationTime: at(30 * SECOND + 1) })),
          timestamp: null,
        },
        RULES,
        NOW,
      ),
    ).toBe(NOW + 30 * SECOND + 1);
  });

  it('and begins before it ends: a Not Before at or after the end never holds', () => {
    const sentence = expect.stringContaining('time is at or after its expiry') as string;
    for (const notBefore of [30 * SECOND, 31 * SECOND])
      expect(
        refusal({
          ...signIn({}, withMessage({ notBefore: at(notBefore), expirationTime: at(30 * SECOND) })),
          timestamp: null,
        }),
      ).toMatchObject({ code: 'SIGN_IN_EXPIRED', sentence });
    const withoutEnd = signIn({}, withoutExpiry);
    expect(
      refusal({
        ...withoutEnd,
        message: { ...withoutEnd.message, issuedAt: at(-10 * MINUTE + SECOND), notBefore: at(2 * SECOND) },
        timestamp: null,
      }),
    ).toMatchObject({ sentence });
  });
});
