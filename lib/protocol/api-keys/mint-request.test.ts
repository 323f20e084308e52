import { describe, expect, it } from 'vitest';
import { mintRequestSchema, mintTermsOf } from './mint-request';

const required = {
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  signature: '0x00',
  token: 'a.b.c',
  apiKeyType: 'INFERENCE',
};

const termsOf = (extra: object) => mintTermsOf(mintRequestSchema.parse({ ...required, ...extra }));
const faultsOf = (body: unknown): string[] => {
  const verdict = mintRequestSchema.safeParse(body);
  return verdict.success ? [] : verdict.error.issues.map(({ path }) => path.join('.'));
};

describe('a request to mint a key', () => {
  it('needs four fields, and leaves the others to their defaults', () => {
    expect(termsOf({})).toEqual({
      type: 'INFERENCE',
      description: '',
      expiresAt: null,
      limitPeriod: 'LIFETIME',
      limitUsdNano: null,
      limitDiemNano: null,
      limitPrepaidNano: null,
      allow: null,
      alert: null,
    });
    expect(termsOf({ apiKeyType: 'ADMIN' }).type).toBe('ADMIN');
  });

  it.each(Object.keys(required))('is refused without %s, and with anything but a text there', (field) => {
    for (const value of [undefined, null, 1, true, {}, []])
      expect(faultsOf({ ...required, [field]: value })).toEqual([field]);
  });

  it.each([null, [], 'text', 1, true])('is no %j', (body) => {
    expect(faultsOf(body)).toEqual(['']);
  });

  it('is refused with fields that nobody knows, at any level', () => {
    expect(faultsOf({ ...required, apikeyType: 'ADMIN' })).toEqual(['']);
    expect(faultsOf({ ...required, consumptionLimit: { eur: 1 } })).toEqual(['consumptionLimit']);
  });

  it.each(['inference', 'READ', '', 'ADMIN '])('knows no type %j', (apiKeyType) => {
    expect(faultsOf({ ...required, apiKeyType })).toEqual(['apiKeyType']);
  });

  it('takes one of three periods', () => {
    for (const limitPeriod of ['EPOCH', 'MONTH', 'LIFETIME'] as const)
      expect(termsOf({ limitPeriod }).limitPeriod).toBe(limitPeriod);
    for (const limitPeriod of ['DAY', 'epoch', '', null])
      expect(faultsOf({ ...required, limitPeriod })).toEqual(['limitPeriod']);
  });
});

describe('its description', () => {
  it.each(['', 'bot', 'Schlüssel für den 🤖', 'x'.repeat(256)])('may be %j', (description) => {
    expect(termsOf({ description }).description).toBe(description);
  });

  it.each(['x'.repeat(257), 'two\nlines', 'a\u0000b', '\ud800', '\u007f', 1])('may not be %j', (description) => {
    expect(faultsOf({ ...required, description })).toEqual(['description']);
  });
});

it('is as if it were left out where a description, an expiry or a limit is null', () => {
  expect(termsOf({ description: null, expiresAt: null, consumptionLimit: null })).toEqual(termsOf({}));
});

describe('its expiry', () => {
  it.each([
    ['', null],
    ['2027-01-31', '2027-01-31T23:59:59.999Z'],
    ['2028-02-29', '2028-02-29T23:59:59.999Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.123Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00.123456Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00+00:00', '2027-01-31T12:00:00.000Z'],
  ])('%j means %s', (expiresAt, time) => {
    expect(termsOf({ expiresAt }).expiresAt).toBe(time === null ? null : Date.parse(time));
  });

  it.each([
    'never',
    '2027',
    '2027-1-31',
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '31.01.2027',
    '2027-01-31T12:00:00',
    '2027-01-31T12:00:00+01:00',
    '2027-01-31 12:00:00Z',
    '2027-01-31T25:00:00Z',
    '2027-02-30T12:00:00Z',
    '2027-01-31T12:00:61Z',
    ' 2027-01-31',
    '2027-01-31\n',
    '1800000000',
    '+010000-01-01T00:00:00Z',
  ])('%j means nothing', (expiresAt) => {
    expect(faultsOf({ ...required, expiresAt })).toEqual(['expiresAt']);
  });

  it.each([1_800_000_000, {}])('%j is no text', (expiresAt) => {
    expect(faultsOf({ ...required, expiresAt })).toEqual(['expiresAt']);
  });
});

describe('its consumption limit', () => {
  it.each([
    [{}, null, null],
    [{ usd: 10 }, 10_000_000_000, null],
    [{ usd: 0, diem: 0 }, 0, 0],
    [{ usd: null, diem: null, vcu: null }, null, null],
    [{ diem: 0.1 }, null, 100_000_000],
    [{ vcu: 2.5 }, null, 2_500_000_000],
    [{ diem: 2.5, vcu: 2.5 }, null, 2_500_000_000],
    [{ usd: 1e-9, vcu: 1e-7 }, 1, 100],
  ])('%j is %j and %j nano-USD', (consumptionLimit, usd, diem) => {
    expect(termsOf({ consumptionLimit })).toMatchObject({ limitUsdNano: usd, limitDiemNano: diem });
  });

  it.each([
    [{ usd: -1 }, 'consumptionLimit.usd'],
    [{ usd: '10' }, 'consumptionLimit.usd'],
    [{ diem: true }, 'consumptionLimit.diem'],
    [{ vcu: 1e-10 }, 'consumptionLimit.vcu'],
    [{ usd: 1e16 }, 'consumptionLimit.usd'],
    [{ usd: Infinity }, 'consumptionLimit.usd'],
    [{ diem: 1, vcu: 2 }, 'consumptionLimit.vcu'],
    [{ diem: null, vcu: 2 }, 'consumptionLimit.vcu'],
    [[], 'consumptionLimit'],
    [10, 'consumptionLimit'],
  ])('%j is refused', (consumptionLimit, path) => {
    expect(faultsOf({ ...required, consumptionLimit })).toEqual([path]);
  });
});
