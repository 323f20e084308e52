import { english, generateMnemonic } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { recognizeSecret } from './pasted-secret';

const HEX = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('a secret of a wallet', () => {
  it.each([
    ['private-key', HEX],
    ['private-key', ` ${HEX.toUpperCase()}\n`],
    ['maybe-private-key', `0x${HEX}`],
    [
      'seed-phrase',
      'test test test test test test test test test test test junk'
        .split(' ')
        .map((word, index) => `${word}${'abcdefghijkl'[index]}`)
        .join(' '),
    ],
    [
      'seed-phrase',
      'legal winner thank year wave sausage worth useful legal winner thank yellow'.replace(
        'legal winner thank yellow',
        'cactus dragon ladder yellow',
      ),
    ],
    [
      'seed-phrase',
      'protect slam tilt tree crime menu letter tank symptom federal asthma iron talk slam any any survey tide phrase glass derive tree track chair',
    ],
    ['extended-key', `xprv9s21ZrQH143K${'3'.repeat(95)}`],
    ['key-file', '-----BEGIN EC PRIVATE KEY-----\nMHc'],
    ['private-key-bytes', JSON.stringify(Array.from({ length: 64 }, (_, index) => index * 4))],
    ['maybe-private-key', '5'.repeat(88)],
  ] as const)('is recognized: %s', (kind, text) => expect(recognizeSecret(text)).toBe(kind));

  it.each([
    ['an address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['an address of Solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'],
    ['a key of a gateway', 'tpk_demo_qAGQfN5ayrE_jc6O_Nzb4SSPkMnN9VhZ3D2-YOEJ23o'],
    ['a hash within a request', `{"method":"eth_getTransactionByHash","params":["0x${HEX}"]}`],
    ['a sentence of twelve words', 'please tell me how the price of one single call comes about'],
    ['a sentence of twelve long words', 'show every block with more than ten calls and sort them nicely'],
    ['nothing', ''],
    ['a megabyte', 'a '.repeat(500_000)],
  ])('is not %s', (_what, text) => expect(recognizeSecret(text)).toBeNull());
});

it('is any seed phrase of BIP-39, whichever words it has', () => {
  for (let index = 0; index < 500; index++) {
    const phrase = generateMnemonic(english, index % 2 === 0 ? 128 : 256);
    expect(recognizeSecret(phrase), phrase).toBe('seed-phrase');
  }
});
