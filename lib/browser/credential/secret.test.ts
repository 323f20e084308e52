import { describe, expect, it } from 'vitest';
import { isSendableKey, maskSecret } from './credential';

describe('a masked secret cannot be used', () => {
  it('shows four characters of each end of a long one', () =>
    expect(maskSecret('tpk_demo_abcdefghijkl')).toBe('tpk_••••ijkl'));
  it('shows nothing of a short one, not even its length', () =>
    expect(maskSecret('short-key')).toBe(maskSecret('other')));
});

describe('what cannot stand in a header is no key', () => {
  it.each(['tpk_demo_abc123', '~!@#$%^&*()'])('%s can', (key) => expect(isSendableKey(key)).toBe(true));
  it.each(['', 'short', 'with space inside', 'line\nbreak-in-key', 'ümlaut-in-key', 'x'.repeat(513)])(
    '%j cannot',
    (key) => expect(isSendableKey(key)).toBe(false),
  );
});
