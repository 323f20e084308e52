import { describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { isKnownDollar, readToken, sandboxSolanaUrl, tokenName } from './known-dollars';

const BASE = 'eip155:8453';
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const CBBTC = '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1';
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const REMOTE = 'https://gateway.example';
const OWN = 'http://127.0.0.1:3000';

it.each([
  ['USDC on Base', BASE, BASE_USDC, [], REMOTE, true],
  ['the same in lower case', BASE, BASE_USDC.toLowerCase(), [], REMOTE, true],
  ['its address on another chain', 'eip155:1', BASE_USDC, [], OWN, false],
  ['USDC on Solana', SOLANA, SOLANA_USDC, [], REMOTE, true],
  ['its mint on another cluster', DEVNET, SOLANA_USDC, [], OWN, false],
  ['its mint in lower case, which is another one', SOLANA, SOLANA_USDC.toLowerCase(), [], OWN, false],
  ['another token, whatever a gateway on this machine says', BASE, CBBTC, [], OWN, false],
  ['a token that nobody named', BASE, CBBTC, [`${BASE}/erc20:${BASE_USDC}`], OWN, false],
  ['one that the caller named, in whatever case', BASE, CBBTC.toLowerCase(), [`${BASE}/erc20:${CBBTC}`], REMOTE, true],
  [
    'the same address on a chain that the caller did not name',
    'eip155:1',
    CBBTC,
    [`${BASE}/erc20:${CBBTC}`],
    OWN,
    false,
  ],
  ['a mint that the caller named', SOLANA, WRAPPED_SOL, [`${SOLANA}/token:${WRAPPED_SOL}`], REMOTE, true],
  ['the same mint on another cluster', DEVNET, WRAPPED_SOL, [`${SOLANA}/token:${WRAPPED_SOL}`], OWN, false],
  [
    "the sandbox's on its own chain, on this machine",
    'eip155:31337',
    SANDBOX_CONTRACTS.usdc,
    [],
    'http://localhost:3000/gate',
    true,
  ],
  [
    "the sandbox's on its stand-in of Base, on this machine",
    BASE,
    SANDBOX_CONTRACTS.usdc,
    [],
    'http://[::1]:3000',
    true,
  ],
  ["the sandbox's mint, on this machine", SOLANA, SANDBOX_USDC_MINT, [], OWN, true],
  ["the sandbox's, elsewhere", BASE, SANDBOX_CONTRACTS.usdc, [], REMOTE, false],
  [
    "the sandbox's, at a host that begins like this machine",
    BASE,
    SANDBOX_CONTRACTS.usdc,
    [],
    'http://127.0.0.1.gateway.example',
    false,
  ],
  ["the sandbox's on a chain where it is not", 'eip155:1', SANDBOX_CONTRACTS.usdc, [], OWN, false],
  ['USDC of Base on the chain of the sandbox', 'eip155:31337', BASE_USDC, [], OWN, false],
] as const)(
  '%s: %s %s, beside %j, at %s, is known to be a dollar: %j',
  (_name, network, asset, allowed, baseUrl, expected) => {
    expect(isKnownDollar({ network, asset }, { allowed: allowed.map(readToken), baseUrl })).toBe(expected);
  },
);

describe('the name of a token', () => {
  it.each([
    [`${BASE}/erc20:${CBBTC}`, { network: BASE, asset: CBBTC }],
    [`${BASE}:${CBBTC}`, { network: BASE, asset: CBBTC }],
    [`${SOLANA}/token:${WRAPPED_SOL}`, { network: SOLANA, asset: WRAPPED_SOL }],
    [`${SOLANA}:${WRAPPED_SOL}`, { network: SOLANA, asset: WRAPPED_SOL }],
  ])('%s is read, and written by CAIP-19', (text, token) => {
    expect(readToken(text)).toEqual(token);
    expect(readToken(tokenName(token))).toEqual(token);
  });

  it.each([
    ['an address alone', CBBTC],
    ['a mint alone', WRAPPED_SOL],
    ['a chain alone', BASE],
    ['a chain by its name', `base:${CBBTC}`],
    ['an address of another family', `${BASE}/erc20:${WRAPPED_SOL}`],
    ['a mint with a letter too few', `${SOLANA}/token:${WRAPPED_SOL.slice(1)}`],
    ['an address with a letter too many', `${BASE}/erc20:${CBBTC}0`],
    ['another kind of asset', `${BASE}/erc721:${CBBTC}`],
    ['a chain id in hex', `eip155:0x2105/erc20:${CBBTC}`],
    ['two in one', `${BASE}/erc20:${CBBTC},${BASE}/erc20:${BASE_USDC}`],
    ['nothing', ''],
  ])('%s is refused, with what to write instead', (_what, text) => {
    expect(() => readToken(text)).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        remedy: expect.stringContaining('eip155:8453/erc20:0x') as string,
      }),
    );
  });
});

it("a payment reads Solana from a gateway in the sandbox's own token alone", () => {
  expect(sandboxSolanaUrl({ network: SOLANA, asset: SANDBOX_USDC_MINT }, OWN)).toBe(
    `${OWN}/api/sandbox/rpc/solana-mainnet`,
  );
  expect(sandboxSolanaUrl({ network: SOLANA, asset: SOLANA_USDC }, OWN)).toBeNull();
  expect(sandboxSolanaUrl({ network: SOLANA, asset: SANDBOX_USDC_MINT }, REMOTE)).toBeNull();
});
