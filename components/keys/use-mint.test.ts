import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { tokenEndOf } from './use-mint';

describe('the end of a token', () => {
  it('is what the token says', async () => {
    const token = await new SignJWT({ purpose: 'ü?>' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(1_800_000_000)
      .sign(new Uint8Array(32));
    expect(tokenEndOf(token)).toBe(1_800_000_000_000);
  });

  it('is not made up for what is no token', () => {
    for (const text of ['', 'a.b.c', 'x', `a.${btoa('{"exp":"soon"}')}.c`, `a.${btoa('null')}.c`])
      expect(tokenEndOf(text)).toBeNull();
  });
});
