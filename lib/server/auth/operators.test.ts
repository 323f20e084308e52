import { describe, expect, it } from 'vitest';
import { apiError } from '@/lib/protocol/errors';
import { Secret } from '../config/secret';
import type { Call } from '../http/call';
import { Operators } from './operators';

const KEY = 'the-operators-key-of-these-tests-0';
const LISTED = '0x1111111111111111111111111111111111111111';

/**
 * Returns whether a call with these headers comes from an operator. A sign-in names its wallet; `bad` is an invalid
 * one, and `broken` causes an internal error.
 */
function recognise(
  headers: Record<string, string>,
  config: { wallets?: string[]; key?: string | null } = {},
): Promise<boolean> {
  const { wallets = [LISTED], key = KEY } = config;
  const verify = (header: string): string => {
    if (header === 'bad') throw apiError('SIGN_IN_BAD_SIGNATURE');
    if (header === 'silent') throw apiError('SIGN_IN_UNVERIFIABLE');
    if (header === 'broken') throw new TypeError('A fault.');
    return header;
  };
  const operators = new Operators(
    { wallets: new Set(wallets), key: key === null ? null : new Secret(key) },
    { verify },
  );
  return operators.isOperator({ header: (name: string) => headers[name] ?? null } as unknown as Call);
}

describe('an operator', () => {
  it('presents the key, under any case of the scheme, or signs in with a wallet on the list', async () => {
    for (const scheme of ['Bearer', 'bearer', 'Bearer  '])
      expect(await recognise({ authorization: `${scheme} ${KEY}` })).toBe(true);
    expect(await recognise({ 'sign-in-with-x': LISTED })).toBe(true);
    expect(await recognise({ 'x-sign-in-with-x': LISTED })).toBe(true);
  });

  it.each([
    ['nothing', {}],
    ['another key', { authorization: 'Bearer sk_another' }],
    ['the key less its end', { authorization: `Bearer ${KEY.slice(0, -1)}` }],
    ['the key in another case', { authorization: `Bearer ${KEY.toUpperCase()}` }],
    ['the key without its scheme', { authorization: KEY }],
    ['an empty header', { authorization: '' }],
    ['a wallet that is not on the list', { 'sign-in-with-x': '0x2222222222222222222222222222222222222222' }],
    ['a sign-in that does not hold', { 'sign-in-with-x': 'bad' }],
    ['a sign-in that no chain confirms', { 'sign-in-with-x': 'silent' }],
    ['a wallet on the list beside another key', { authorization: 'Bearer sk_another', 'sign-in-with-x': LISTED }],
  ])('is not who presents %s', async (_what, headers) => {
    expect(await recognise(headers)).toBe(false);
  });

  it('is nobody where none is configured', async () => {
    expect(await recognise({ authorization: `Bearer ${KEY}` }, { key: null })).toBe(false);
    expect(await recognise({ authorization: 'Bearer ' }, { key: null })).toBe(false);
    expect(await recognise({ 'sign-in-with-x': LISTED }, { wallets: [] })).toBe(false);
  });

  it('is not decided over a fault of ours', async () => {
    await expect(recognise({ 'sign-in-with-x': 'broken' })).rejects.toThrow('A fault.');
  });
});
