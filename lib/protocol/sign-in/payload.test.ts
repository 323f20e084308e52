import { describe, expect, it } from 'vitest';
import { buildSignIn, encodeSignInPayload } from './build-sign-in';
import { MalformedSignIn } from './message-fields';
import { readSignInHeader, SIGN_IN_HEADER_LENGTH_MAX } from './payload';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const SOLANA_ADDRESS = 'BSmWDgE9ex6dZYbiTsJGcwMEgFp8q4aWh92hdErQPeVW';
const NOW = Date.UTC(2026, 0, 31, 12);
const evm = buildSignIn({ address: ADDRESS, uri: 'https://gate.example', nonce: '0123456789abcdef', now: NOW });
const solana = buildSignIn({
  address: SOLANA_ADDRESS,
  uri: 'https://gate.example',
  nonce: '0123456789abcdef',
  now: NOW,
});
const payload = { address: ADDRESS, message: evm.text, signature: '0x01', timestamp: NOW, chainId: 8453 as unknown };
const encode = (text: string) => Buffer.from(text).toString('base64');

describe('both forms of payload', () => {
  it('the one that carries its text', () => {
    expect(readSignInHeader(evm.header('0x01'))).toEqual({
      text: evm.text,
      message: evm.message,
      address: ADDRESS,
      signature: '0x01',
      chainId: 'eip155:8453',
      timestamp: NOW,
    });
    expect(readSignInHeader(solana.header('abc'))).toMatchObject({
      text: solana.text,
      address: SOLANA_ADDRESS,
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      timestamp: NOW,
    });
  });

  it('the one whose text is made of its fields', () => {
    expect(readSignInHeader(evm.fieldHeader('0x01'))).toEqual({
      text: evm.text,
      message: evm.message,
      address: ADDRESS,
      signature: '0x01',
      chainId: 'eip155:8453',
      timestamp: null,
    });
    expect(readSignInHeader(solana.fieldHeader('abc'))).toMatchObject({ text: solana.text, timestamp: null });
  });

  it('the example header of the x402 specification', () => {
    const header =
      'eyJkb21haW4iOiJhcGkuZXhhbXBsZS5jb20iLCJhZGRyZXNzIjoiMHg4NTdiMDY1MTlFOTFlM0E1NDUzODc5MWJEYmIwRTIyMzczZTM2YjY2IiwidXJpIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vcHJlbWl1bS1kYXRhIiwidmVyc2lvbiI6IjEiLCJjaGFpbklkIjoiZWlwMTU1Ojg0NTMiLCJ0eXBlIjoiZWlwMTkxIiwibm9uY2UiOiJhMWIyYzNkNGU1ZjY3ODkwYTFiMmMzZDRlNWY2Nzg5MCIsImlzc3VlZEF0IjoiMjAyNC0wMS0xNVQxMDozMDowMC4wMDBaIiwiZXhwaXJhdGlvblRpbWUiOiIyMDI0LTAxLTE1VDEwOjM1OjAwLjAwMFoiLCJzdGF0ZW1lbnQiOiJTaWduIGluIHRvIGFjY2VzcyBwcmVtaXVtIGRhdGEiLCJyZXNvdXJjZXMiOlsiaHR0cHM6Ly9hcGkuZXhhbXBsZS5jb20vcHJlbWl1bS1kYXRhIl0sInNpZ25hdHVyZVNjaGVtZSI6ImVpcDE5MSIsInNpZ25hdHVyZSI6IjB4MmQ2YTc1ODhkNmFjY2E1MDVjYmYwZDlhNGEyMjdlMGM1MmM2YzM0MDA4YzhlODk4NmExMjgzMjU5NzY0MTczNjA4YTJjZTY0OTY2NDJlMzc3ZDZkYThkYmJmNTgzNmU5YmQxNTA5MmY5ZWNhYjA1ZGVkM2Q2MjkzYWYxNDhiNTcxYyJ9';
    expect(readSignInHeader(header).text).toBe(
      'api.example.com wants you to sign in with your Ethereum account:\n0x857b06519E91e3A54538791bDbb0E22373e36b66\n\nSign in to access premium data\n\nURI: https://api.example.com/premium-data\nVersion: 1\nChain ID: 8453\nNonce: a1b2c3d4e5f67890a1b2c3d4e5f67890\nIssued At: 2024-01-15T10:30:00.000Z\nExpiration Time: 2024-01-15T10:35:00.000Z\nResources:\n- https://api.example.com/premium-data',
    );
  });

  it('a chain id as number, digits or CAIP-2; an address in any case; further fields', () => {
    for (const chainId of [8453, '8453', 'eip155:8453'])
      expect(readSignInHeader(encodeSignInPayload({ ...payload, chainId })).chainId).toBe('eip155:8453');
    for (const address of [ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`])
      expect(readSignInHeader(encodeSignInPayload({ ...payload, address })).message.address).toBe(ADDRESS);
    expect(readSignInHeader(encodeSignInPayload({ ...payload, type: 'eip191', extra: [1] })).chainId).toBe(
      'eip155:8453',
    );
  });

  it('of a Solana wallet with its type, and not without: left out it means eip191', () => {
    const signedBySolana = {
      ...payload,
      address: SOLANA_ADDRESS,
      message: solana.text,
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    };
    expect(readSignInHeader(encodeSignInPayload({ ...signedBySolana, type: 'ed25519' })).message.family).toBe('solana');
    for (const type of [{ type: 'eip191' }, {}])
      expect(() => readSignInHeader(encodeSignInPayload({ ...signedBySolana, ...type }))).toThrow(
        /"type" .* ed25519 .* eip191/,
      );
  });

  it('either alphabet of Base64, padded or not', () => {
    const bytes = Buffer.from(JSON.stringify({ ...payload, extra: '>>>???~~~' }));
    expect(bytes.toString('base64')).toMatch(/[+/]/);
    for (const header of [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('base64').replace(/=+$/, ''),
    ])
      expect(readSignInHeader(header).text).toBe(evm.text);
  });
});

describe('what cannot be read is refused with a sentence', () => {
  const without = (field: string) =>
    encodeSignInPayload(Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field)));
  const fields = { ...evm.message, chainId: 'eip155:8453', type: 'eip191', signature: '0x01' };

  it.each([
    ['an empty header', '', /not Base64/],
    ['no Base64', '{"address":"0x"}', /not Base64/],
    ['two headers joined', `${evm.header('0x01')}, ${evm.header('0x01')}`, /not Base64/],
    ['Base64 with line breaks', `${evm.header('0x01').slice(0, 76)}\n${evm.header('0x01').slice(76)}`, /not Base64/],
    ['Base64 cut off', evm.header('0x01').replace(/=+$/, '').slice(0, 401), /not Base64: it is cut off/],
    ['a header cut off', evm.header('0x01').slice(0, 400), /JSON/],
    ['a header that is too long', 'A'.repeat(SIGN_IN_HEADER_LENGTH_MAX + 1), /longer than 12288/],
    ['no JSON', encode('hello'), /JSON/],
    ['a string', encode('"hello"'), /JSON object/],
    ['null', encode('null'), /JSON object/],
    ['an array', encode(JSON.stringify([payload])), /JSON object/],
    ['text that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64'), /JSON/],
    ['a byte order mark', encode(`\ufeff${JSON.stringify(payload)}`), /JSON/],
    [
      'a field twice',
      encode(JSON.stringify(payload).replace('{', `{"address":${JSON.stringify(SOLANA_ADDRESS)},`)),
      /field twice/,
    ],
    [
      'a field twice, once escaped',
      encode(JSON.stringify(payload).replace('{', `{"\\u0061ddress":${JSON.stringify(ADDRESS)},`)),
      /field twice/,
    ],
    [
      'deep nesting',
      encode(JSON.stringify(payload).replace('{', `{"x":${'['.repeat(50)}${']'.repeat(50)},`)),
      /too deeply/,
    ],
    ['no address', without('address'), /"address" .* missing/],
    ['no signature', without('signature'), /"signature" .* missing/],
    ['no timestamp', without('timestamp'), /"timestamp" .* missing/],
    ['no chainId', without('chainId'), /"chainId" .* missing/],
    ['neither a message nor fields', without('message'), /"domain" .* missing/],
    ['a timestamp as text', encodeSignInPayload({ ...payload, timestamp: String(NOW) }), /"timestamp" .* form/],
    ['a timestamp of a fraction', encodeSignInPayload({ ...payload, timestamp: 1.5 }), /"timestamp" .* form/],
    ['an infinite timestamp', encode(JSON.stringify(payload).replace(String(NOW), '1e999')), /"timestamp" .* form/],
    ['a signature that is an object', encodeSignInPayload({ ...payload, signature: {} }), /"signature" .* form/],
    ['an invalid chain', encodeSignInPayload({ ...payload, chainId: 'base' }), /is not a chain/],
    ['a negative chain', encodeSignInPayload({ ...payload, chainId: -1 }), /"chainId" .* form/],
    [
      'another chain than the message',
      encodeSignInPayload({ ...payload, chainId: 1 }),
      /"chainId" .* not the one in its message/,
    ],
    [
      'a Solana chain of an EVM message',
      encodeSignInPayload({ ...payload, chainId: 'solana:mainnet' }),
      /"chainId" .* not the one in its message/,
    ],
    [
      'another address than the message',
      encodeSignInPayload({ ...payload, address: ADDRESS.replace(/.$/, '3') }),
      /"address" .* not the one/,
    ],
    [
      'an EVM address of a Solana message',
      encodeSignInPayload({ ...payload, message: solana.text, chainId: 'solana:mainnet', type: 'ed25519' }),
      /"address" .* not the one/,
    ],
    [
      'a Solana address in another case',
      solana.header('abc').replace(
        /^.*$/,
        encodeSignInPayload({
          ...payload,
          address: SOLANA_ADDRESS.toLowerCase(),
          message: solana.text,
          chainId: 'solana:mainnet',
        }),
      ),
      /"address" .* not the one/,
    ],
    [
      'the type of a Solana signature under an EVM address',
      encodeSignInPayload({ ...payload, type: 'ed25519' }),
      /"type" .* eip191/,
    ],
    ['an unknown type', encodeSignInPayload({ ...payload, type: 'rsa' }), /"type" .* eip191/],
    [
      'an EVM message under a number that is a Solana chain',
      encodeSignInPayload({ ...payload, message: solana.text, address: SOLANA_ADDRESS, chainId: 8453 }),
      /"chainId" .* not the one/,
    ],
    ['an invalid message', encodeSignInPayload({ ...payload, message: 'Sign in please' }), /Line 1/],
    [
      'a message with carriage returns',
      encodeSignInPayload({ ...payload, message: evm.text.replaceAll('\n', '\r\n') }),
      /Line 1/,
    ],
    [
      'fields with a line break',
      encodeSignInPayload({ ...fields, statement: 'a\n\nURI: https://evil.example' }),
      /sign-in message/,
    ],
    ['fields of another version', encodeSignInPayload({ ...fields, version: '2' }), /Line 7 .* 1 after "Version: "/],
    ['fields with a homoglyph', encodeSignInPayload({ ...fields, domain: 'g\u0430te.example' }), /domain/],
    ['fields without a type', encodeSignInPayload({ ...fields, type: undefined }), /"type" .* missing/],
    ['fields whose chain is another kind', encodeSignInPayload({ ...fields, chainId: 'solana:mainnet' }), /Line 2/],
  ])('%s', (_name, header, sentence) => {
    expect(() => readSignInHeader(header)).toThrow(MalformedSignIn);
    expect(() => readSignInHeader(header)).toThrow(sentence);
  });

  it('wherever it is cut off', () => {
    const header = evm.header('0x01').replace(/=+$/, '');
    for (let length = 0; length < header.length; length += 7)
      expect(() => readSignInHeader(header.slice(0, length))).toThrow(MalformedSignIn);
  });
});
