import { describe, expect, it } from 'vitest';
import { PAYMENT_HEADER_LENGTH_MAX, readPresentedPayment } from './presented-payment';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const payload = { signature: '0x00', authorization: {} };
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0xa',
  payTo: '0xb',
  amount: '5000000',
  maxTimeoutSeconds: 60,
  extra: {},
};

describe('a payment header is told by its shape, whatever version it names', () => {
  it.each([1, 2, 7, '2', undefined])('v2 with x402Version %s', (x402Version) => {
    expect(readPresentedPayment(encode({ x402Version, accepted, payload }))).toEqual({
      network: 'eip155:8453',
      accepted: { asset: '0xa', payTo: '0xb', amount: '5000000' },
      content: payload,
    });
  });
  it.each([1, 2, undefined])('v1 with x402Version %s', (x402Version) => {
    expect(readPresentedPayment(encode({ x402Version, scheme: 'exact', network: 'base', payload }))).toEqual({
      network: 'base',
      accepted: null,
      content: payload,
    });
  });
  it('in either alphabet of base64, with padding or without', () => {
    const text = encode({ scheme: 'exact', network: 'base', payload: { note: '???>>>' } });
    expect(readPresentedPayment(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')).content).toEqual({
      note: '???>>>',
    });
  });
});

it.each([
  ['nothing', '', 'invalid_base64'],
  ['what is not base64', '!!!', 'invalid_base64'],
  ['base64 of what is not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64'), 'invalid_base64'],
  ['base64 of what is not JSON', Buffer.from('{').toString('base64'), 'invalid_json'],
  ['null', encode(null), 'invalid_payload'],
  ['a payload that is an array', encode({ scheme: 'exact', network: 'base', payload: [] }), 'invalid_payload'],
  ['an amount in hexadecimal', encode({ accepted: { ...accepted, amount: '0x10' }, payload }), 'invalid_payload'],
  ['another scheme', encode({ scheme: 'upto', network: 'base', payload }), 'invalid_payload'],
  ['a text beyond the bound', 'A'.repeat(PAYMENT_HEADER_LENGTH_MAX + 1), 'header_too_long'],
])('refuses %s', (_, header, reason) => {
  expect(() => readPresentedPayment(header)).toThrow(expect.objectContaining({ name: 'InvalidPayment', reason }));
});
