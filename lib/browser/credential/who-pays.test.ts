import { describe, expect, it } from 'vitest';
import {
  accountQuestionOf,
  choiceWithout,
  type CredentialChoice,
  type CredentialsAtHand,
  parseChoice,
  settleCredential,
} from './who-pays';

const A = '0x00000000000000000000000000000000000000aA';
const B = '0x00000000000000000000000000000000000000bB';
const wallet: CredentialChoice = { kind: 'wallet', address: A, family: 'evm' };
const atHand: CredentialsAtHand = {
  choice: null,
  own: null,
  signIn: undefined,
  demoKey: 'demo-key-of-the-sandbox',
  isDemoPending: false,
  isTabPending: false,
};
const own = { apiKey: 'key-of-the-person', remember: false };
const signIn = { header: 'eyJ9', expiresAtMs: 1 };
const kindOf = (changes: Partial<CredentialsAtHand>) => settleCredential({ ...atHand, ...changes }).kind;

describe('who pays', () => {
  it('is, until somebody has chosen, the own key before the demo key, and nobody without either', () => {
    expect([
      kindOf({}),
      kindOf({ own }),
      kindOf({ demoKey: null }),
      kindOf({ demoKey: null, isDemoPending: true }),
    ]).toEqual(['demo', 'own', 'none', 'pending']);
  });

  it('is what was chosen, and never something else in its place', () => {
    expect([
      kindOf({ choice: wallet, signIn, own }),
      kindOf({ choice: { kind: 'own' }, own }),
      kindOf({ choice: { kind: 'demo' }, own }),
    ]).toEqual(['wallet', 'own', 'demo']);
    // An ended sign-in, a key kept only for the session, and a gateway that no longer has a demo key.
    expect([
      kindOf({ choice: wallet, own }),
      kindOf({ choice: { kind: 'own' } }),
      kindOf({ choice: { kind: 'demo' }, demoKey: null, own }),
      kindOf({ choice: { kind: 'nobody' }, own }),
    ]).toEqual(['signed-out', 'none', 'none', 'none']);
  });

  it('is not decided while another tab may still hand over what was chosen', () => {
    const isTabPending = true;
    expect([
      kindOf({ choice: wallet, isTabPending }),
      kindOf({ choice: { kind: 'own' }, isTabPending }),
      kindOf({ isTabPending }),
      kindOf({ choice: { kind: 'demo' }, isTabPending }),
    ]).toEqual(['pending', 'pending', 'demo', 'demo']);
  });
});

describe('a wallet on another account than the one that pays', () => {
  const other = { family: 'evm' as const, address: B };

  it('is asked about, until the person has said that the other goes on paying', () => {
    expect(accountQuestionOf(wallet, [other, null])).toEqual({ payer: { family: 'evm', address: A }, account: other });
    expect(accountQuestionOf({ ...wallet, keptBeside: B.toLowerCase() }, [other, null])).toBeNull();
    expect(accountQuestionOf({ ...wallet, keptBeside: A }, [other, null])).not.toBeNull();
  });

  it('is nothing to ask about where it does not pay, is the same, or is of the other family', () => {
    expect(accountQuestionOf({ kind: 'demo' }, [other, null])).toBeNull();
    expect(accountQuestionOf(wallet, [{ family: 'evm', address: A.toLowerCase() }, null])).toBeNull();
    expect(accountQuestionOf(wallet, [null, { family: 'solana', address: 'So1' }])).toBeNull();
  });
});

it('a disconnected wallet pays no more, and nobody in its place; another payer stays', () => {
  expect(choiceWithout(wallet, A.toLowerCase())).toEqual({ kind: 'nobody' });
  expect(choiceWithout(wallet, B)).toEqual(wallet);
  expect(choiceWithout({ kind: 'demo' }, A)).toEqual({ kind: 'demo' });
});

it('a stored choice is taken whole or not at all', () => {
  for (const choice of [wallet, { ...wallet, keptBeside: B }, { kind: 'own' }, { kind: 'demo' }, { kind: 'nobody' }])
    expect(parseChoice(choice)).toEqual(choice);
  for (const foreign of [
    null,
    'demo',
    {},
    { kind: 'bank' },
    { kind: 'wallet', address: 1, family: 'evm' },
    { kind: 'wallet', address: A, family: 'bitcoin' },
  ])
    expect(parseChoice(foreign)).toBeNull();
});
