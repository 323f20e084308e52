import { describe, expect, it } from 'vitest';
import { sameAddress, shortAddress } from './wallet-store';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const SOLANA = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

describe('an address', () => {
  it('is the same in hex of any case, but in base58 only letter by letter', () => {
    expect(sameAddress(EVM, EVM.toLowerCase())).toBe(true);
    expect(sameAddress(SOLANA, SOLANA.toLowerCase())).toBe(false);
    expect(sameAddress('x', 'X')).toBe(false);
  });

  it('is shortened so that both ends stay', () => {
    expect(shortAddress(EVM)).toBe('0x5290…9EE7');
    expect(shortAddress(SOLANA)).toBe('7Np4…T4K2');
    expect(shortAddress('0x12')).toBe('0x12');
  });
});
