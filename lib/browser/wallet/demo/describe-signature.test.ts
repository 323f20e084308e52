import { describe, expect, it } from 'vitest';
import { withdrawalText } from '@/lib/protocol/x402/withdrawal-text';
import { describeMessage, describeTypedData, type KnownRail } from './describe-signature';

const RAIL: KnownRail = {
  network: 'eip155:8453',
  asset: '0xAa',
  symbol: 'USDC',
  decimals: 6,
  payTo: '0xBb',
  title: 'Base',
};
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: '0xaa' };
const pay = (message: unknown, domain: object = DOMAIN) =>
  describeTypedData({ primaryType: 'TransferWithAuthorization', domain, message }, [RAIL]);

describe('a payment that is signed', () => {
  it('is money: how much, to whom, on which chain', () => {
    const { title, facts } = pay({ to: '0xbb', value: '10000000', validBefore: '1900000000' });
    expect(title).toBe('Pay 10.00 USDC to this gateway on Base');
    expect(facts.map(([name]) => name)).toEqual(['Amount', 'To', 'Token', 'Valid until']);
  });

  it('to somebody else, or in another token, is never called one to this gateway', () => {
    expect(pay({ to: '0xcc', value: '10000000' }).title).toBe('Pay 10.00 USDC to a stranger on Base');
    expect(pay({ to: '0xbb', value: '1' }, { ...DOMAIN, chainId: 1 }).title).toBe(
      'Pay with a token that is not known here',
    );
    expect(pay({ to: '0xbb', value: '1' }, { ...DOMAIN, verifyingContract: '0xdd' }).title).toBe(
      'Pay with a token that is not known here',
    );
  });

  it('whose amount cannot be read is shown as what it is', () => {
    for (const message of [null, {}, { value: '-1' }, { value: '1e9' }, { value: 1.5 }])
      expect(pay(message).title).toBe('Sign TransferWithAuthorization');
  });
});

describe('a message that is signed', () => {
  const siwe = (domain: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n0x1\n\nSign in.\n\nURI: http://${domain}\nExpiration Time: 2030-01-01T00:00:00.000Z`;

  it('is a sign-in here, or one elsewhere', () => {
    expect(describeMessage(siwe('gate.example'), 'gate.example')).toMatchObject({
      title: 'Sign in to this gateway',
      facts: [
        ['Where', 'gate.example'],
        ['Until', expect.stringContaining('20')],
      ],
    });
    expect(describeMessage(siwe('evil.example'), 'gate.example').title).toBe('Sign in to evil.example');
  });

  it('is otherwise a message', () => {
    expect(describeMessage('hello', 'gate.example').title).toBe('Sign a message');
    expect(describeMessage('eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln', 'gate.example').consequence).toContain('minting');
  });
});

describe('a withdrawal that is signed', () => {
  const statement = {
    gateway: 'https://gate.example',
    to: '0xee',
    amount: '5000000',
    fee: '50000',
    nonce: '0x5f',
    validBefore: '1900000000',
  } as const;
  const facts = [
    ['Fee', '0.05 USDC'],
    ['To', '0xee'],
    ['Where', 'https://gate.example'],
    ['Valid until', expect.stringContaining('2030')],
  ];

  it('is money that comes back, as typed data and as a text', () => {
    const { validBefore, ...rest } = statement;
    const message = { ...rest, validBefore: BigInt(validBefore), amount: 5_000_000n };
    expect(describeTypedData({ primaryType: 'Withdrawal', domain: DOMAIN, message }, [RAIL])).toMatchObject({
      title: 'Withdraw 5.00 USDC to this wallet',
      facts,
    });
    const text = withdrawalText(statement, { network: RAIL.network, asset: RAIL.asset });
    expect(describeMessage(text, 'gate.example', [RAIL])).toMatchObject({
      title: 'Withdraw 5.00 USDC to this wallet',
      facts,
    });
  });

  it('in an unknown token, or of nothing that can be read, is shown in base units', () => {
    const text = withdrawalText(statement, { network: RAIL.network, asset: '0xdd' });
    expect(describeMessage(text, 'gate.example', [RAIL]).title).toBe('Withdraw 5000000 to this wallet');
    expect(describeTypedData({ primaryType: 'Withdrawal', message: null }, [RAIL]).title).toBe(
      'Withdraw 0 to this wallet',
    );
  });
});
