import { SiweMessage } from '@signinwithethereum/siwe';
import { createSiweMessage } from 'viem/siwe';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../testing/seeded-random';
import { MalformedSignIn } from './message-fields';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './message';
import negative from './vectors/parsing-negative.json';
import positive from './vectors/parsing-positive.json';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const EVM: SignInMessage = {
  family: 'evm',
  domain: 'gate.example',
  address: ADDRESS,
  statement: 'Sign in to Turnpike',
  uri: 'https://gate.example/api/v1/crypto/rpc/base-mainnet',
  version: '1',
  chainId: '8453',
  nonce: '0123456789abcdef',
  issuedAt: '2026-01-31T12:00:00.000Z',
  expirationTime: '2026-01-31T12:10:00.000Z',
};
const SOLANA: SignInMessage = {
  ...EVM,
  family: 'solana',
  address: 'BSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW',
  chainId: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
};

describe('the public vectors of EIP-4361', () => {
  it.each(Object.entries(positive))('parse: %s', (_name, { message, fields }) => {
    expect(parseSignInMessage(message)).toEqual({ family: 'evm', ...fields });
  });

  it.each(Object.entries(negative))('fail: %s', (_name, message) => {
    expect(() => parseSignInMessage(message)).toThrow(MalformedSignIn);
  });
});

describe('what other libraries write is read', () => {
  const shared = { domain: EVM.domain, address: ADDRESS, uri: EVM.uri, chainId: 8453, nonce: EVM.nonce } as const;
  const optional = {
    notBefore: '2026-01-31T12:00:00.000Z',
    requestId: 'some_id',
    resources: ['https://a.example/b', 'ipfs://c'],
  };

  it.each([
    ['all fields', { statement: 'One, two.', expirationTime: EVM.expirationTime, ...optional }],
    ['the mandatory ones', {}],
    ['an empty statement', { statement: '' }],
    ['a scheme', { scheme: 'https', statement: 'x' }],
    ['no resources in the list', { resources: [] }],
  ])('siwe, with %s; and written again, it is the same text', (_name, fields) => {
    const text = new SiweMessage({ ...shared, version: '1', issuedAt: EVM.issuedAt, ...fields }).prepareMessage();
    const parsed = parseSignInMessage(text);
    expect(parsed).toMatchObject({ ...shared, chainId: '8453', ...fields });
    expect(formatSignInMessage(parsed)).toBe(text);
  });

  it('viem', () => {
    const dates = { issuedAt: new Date(EVM.issuedAt), expirationTime: new Date(String(EVM.expirationTime)) };
    expect(
      parseSignInMessage(createSiweMessage({ ...shared, ...dates, version: '1', statement: 'Sign in to Turnpike' })),
    ).toEqual(EVM);
    expect(parseSignInMessage(createSiweMessage({ ...shared, ...dates, version: '1' }))).toEqual({
      ...EVM,
      statement: undefined,
    });
    expect(parseSignInMessage(createSiweMessage({ ...shared, ...dates, version: '1', scheme: 'https' }))).toMatchObject(
      { scheme: 'https' },
    );
  });

  it('an x402 client, for Solana (the example of its specification)', () => {
    const text =
      'api.example.com wants you to sign in with your Solana account:\nBSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW\n\nSign in to access premium data\n\nURI: https://api.example.com/premium-data\nVersion: 1\nChain ID: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\nNonce: a1b2c3d4e5f67890a1b2c3d4e5f67890\nIssued At: 2024-01-15T10:30:00.000Z\nExpiration Time: 2024-01-15T10:35:00.000Z\nResources:\n- https://api.example.com/premium-data';
    const parsed = parseSignInMessage(text);
    expect(parsed).toMatchObject({
      family: 'solana',
      domain: 'api.example.com',
      statement: 'Sign in to access premium data',
      resources: ['https://api.example.com/premium-data'],
    });
    expect(formatSignInMessage(parsed)).toBe(text);
  });

  it('a Solana message without a statement, with one empty line or two, and with its chain in full', () => {
    const { statement: _statement, ...silent } = SOLANA;
    const text = formatSignInMessage(silent);
    expect(text).toContain(`${SOLANA.address}\n\nURI: `);
    expect(parseSignInMessage(text)).toEqual(silent);
    expect(parseSignInMessage(text.replace('\n\nURI', '\n\n\nURI'))).toEqual(silent);
    expect(parseSignInMessage(text.replace('Chain ID: ', 'Chain ID: solana:')).chainId).toBe(
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    );
    expect(parseSignInMessage(formatSignInMessage({ ...SOLANA, statement: 'URI: as a statement' })).statement).toBe(
      'URI: as a statement',
    );
  });
});

describe('what is no such message is refused', () => {
  const text = formatSignInMessage(EVM);

  it.each([
    ['carriage returns', text.replaceAll('\n', '\r\n')],
    ['one carriage return in the statement', text.replace('Turnpike', 'Turn\rpike')],
    ['a line break at the end', `${text}\n`],
    ['a homoglyph in the domain', text.replace('gate', 'g\u0430te')],
    ['a homoglyph in the statement', text.replace('Turnpike', 'Turnp\u0456ke')],
    ['a full-width digit in the chain id', text.replace('8453', '845\uff13')],
    ['a zero-width space', text.replace('gate', 'ga\u200bte')],
    ['a NUL', text.replace('Turnpike', 'Turn\0pike')],
    ['an address with a wrong checksum', text.replace(ADDRESS, ADDRESS.replace('C', 'c'))],
    ['an address without a checksum', text.replace(ADDRESS, ADDRESS.toLowerCase())],
    ['an address in capitals', text.replace(ADDRESS, `0x${ADDRESS.slice(2).toUpperCase()}`)],
    ['a Solana address in an EVM message', text.replace(ADDRESS, SOLANA.address)],
    ['an EVM address in a Solana message', text.replace('Ethereum', 'Solana')],
    ['another chain of wallets', text.replace('Ethereum', 'Bitcoin')],
    ['the domain of two sites', text.replace('gate.example', 'gate.example evil.example')],
    ['a field twice', text.replace('Nonce', 'Nonce: 0123456789abcdef\nNonce')],
    ['a field that does not exist', `${text}\nPermissions: all`],
    ['a nonce with a dash', text.replace(EVM.nonce, '01234567-89abcdef')],
    ['a month that does not exist', text.replace('2026-01-31T12:00', '2026-13-31T12:00')],
    ['a day that does not exist', text.replace('2026-01-31T12:00', '2026-02-30T12:00')],
    ['another version', text.replace('Version: 1', 'Version: 2')],
    ['resources outside their list', `${text}\n- https://a.example`],
    ['nothing', ''],
    ['one line', 'gate.example wants you to sign in with your Ethereum account:'],
  ])('%s', (_name, message) => {
    expect(message).not.toBe(text);
    expect(() => parseSignInMessage(message)).toThrow(MalformedSignIn);
  });

  it('by the number of the line, never by its content', () => {
    expect(() => parseSignInMessage(text.replace('8453', 'secret'))).toThrow(
      'Line 8 of the sign-in message must have digits after "Chain ID: ".',
    );
  });

  it('at every place where it is cut off, up to a field that may be absent', () => {
    const complete = text.lastIndexOf('\nExpiration Time');
    for (let length = 0; length < text.length; length++) {
      if (length === complete) expect(parseSignInMessage(text.slice(0, length)).expirationTime).toBeUndefined();
      // Only the time zone ends the date, so every truncated date is invalid.
      else expect(() => parseSignInMessage(text.slice(0, length)), `cut to ${length}`).toThrow(MalformedSignIn);
    }
  });

  it('or, changed in one character, says something else', () => {
    const random = new SeededRandom(4361);
    for (let round = 0; round < 3000; round++) {
      const index = random.integer(0, text.length - 1);
      const changed = text.slice(0, index) + String.fromCharCode(random.integer(0, 130)) + text.slice(index + 1);
      if (changed === text) continue;
      let parsed: SignInMessage;
      try {
        parsed = parseSignInMessage(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedSignIn);
        continue;
      }
      expect(parsed).not.toEqual(EVM);
      expect(formatSignInMessage(parsed)).toBe(changed);
    }
  });
});
