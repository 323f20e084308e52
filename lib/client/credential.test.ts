import { describe, expect, it } from 'vitest';
import { credentialHeader } from './credential';

describe('the header of a credential', () => {
  it('is Authorization for an API key', () => {
    expect(credentialHeader({ kind: 'apiKey', apiKey: 'tpk_1' })).toEqual(['Authorization', 'Bearer tpk_1']);
  });

  it('is SIGN-IN-WITH-X for a wallet, and never both', () => {
    expect(credentialHeader({ kind: 'signIn', signIn: 'eyJ9' })).toEqual(['SIGN-IN-WITH-X', 'eyJ9']);
  });
});
