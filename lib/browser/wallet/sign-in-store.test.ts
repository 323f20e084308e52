import { describe, expect, it } from 'vitest';
import { parseSignIns } from './sign-in-store';

const SIGN_IN = { address: '0x1', family: 'evm', header: 'eyJ9', expiresAtMs: 1 };

describe('stored sign-ins', () => {
  it('are taken as they were kept', () => {
    expect(parseSignIns([SIGN_IN])).toEqual([SIGN_IN]);
  });

  it('are dropped one by one where a foreign hand wrote them', () => {
    const foreign = [
      null,
      'x',
      {},
      { ...SIGN_IN, family: 'bitcoin' },
      { ...SIGN_IN, header: 'a\r\nb' },
      { ...SIGN_IN, header: '' },
      { ...SIGN_IN, expiresAtMs: '1' },
    ];
    expect(parseSignIns([...foreign, SIGN_IN])).toEqual([SIGN_IN]);
    expect(parseSignIns({ 0: SIGN_IN })).toBeNull();
  });
});
