import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { recoverSigner, responseSignatureFault, signableTexts } from './response-signature';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const address = account.address.toLowerCase();
const exchange = { model: 'tee-guide', requestHash: 'aa'.repeat(32), responseHash: 'bb'.repeat(32), address };
const [text = ''] = signableTexts(exchange);
const signature = await account.signMessage({ message: text });
const ZERO_ADDRESS = `0x${'00'.repeat(20)}`;
const { ORDER } = secp256k1.Point.Fn;

/** Changes, drops, adds or rotates characters of a text. */
function changed(honest: string, alphabet: string, random: SeededRandom): string {
  const at = random.integer(0, honest.length - 1);
  const character = alphabet[random.integer(0, alphabet.length - 1)] ?? '';
  const form = random.integer(0, 3);
  if (form === 0) return honest.slice(0, at) + character + honest.slice(at + 1);
  if (form === 1) return honest.slice(0, at) + honest.slice(at + random.integer(1, 3));
  return form === 2 ? honest.slice(0, at) + character + honest.slice(at) : honest.slice(at) + honest.slice(0, at);
}

describe('whatever is made of a signed message', () => {
  it('no other signature holds for it, and none recovers the zero address', () => {
    const random = new SeededRandom(31);
    for (let round = 0; round < 400; round++) {
      const other = changed(signature, '0123456789abcdefg ', random);
      if (other.toLowerCase().replace(/^0x/, '') === signature.slice(2)) continue;
      const signer = recoverSigner(text, other);
      // v of 0 or 1 means the same as 27 or 28.
      const isSame = signer === address && other.slice(0, -2).replace(/^0x/, '') === signature.slice(2, -2);
      expect(
        isSame || responseSignatureFault({ text, signature: other }, exchange) !== null,
        `round ${round}: ${other}`,
      ).toBe(true);
      expect(signer).not.toBe(ZERO_ADDRESS);
    }
  });

  it('the signature holds for no other text and no other exchange', () => {
    const random = new SeededRandom(32);
    for (let round = 0; round < 300; round++) {
      const other = changed(text, '0123456789abcdef:', random);
      if (other !== text)
        expect(responseSignatureFault({ text: other, signature }, exchange), `round ${round}: ${other}`).not.toBeNull();
      const hash = changed(exchange.responseHash, '0123456789abcdef', random);
      if (hash !== exchange.responseHash)
        expect(
          responseSignatureFault({ text, signature }, { ...exchange, responseHash: hash }),
          `round ${round}: ${hash}`,
        ).not.toBeNull();
    }
  });

  it('random bytes recover an address that nobody attested, or nothing; never an error', () => {
    const random = new SeededRandom(33);
    for (let round = 0; round < 150; round++) {
      const bytes = Uint8Array.from({ length: random.pick([0, 1, 63, 64, 65, 65, 65, 66, 130]) }, () =>
        random.integer(0, 255),
      );
      if (bytes.length === 65) bytes[64] = random.pick([0, 1, 2, 3, 27, 28, 29, 35, 255]);
      expect([address, ZERO_ADDRESS]).not.toContain(recoverSigner(text, bytesToHex(bytes)));
    }
  });
});

describe('numbers at the edges of the curve', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const [r, s] = [signature.slice(2, 66), signature.slice(66, 130)];

  it.each<[string, string]>([
    ['r of zero', word(0n) + s],
    ['s of zero', r + word(0n)],
    ['r of the order', word(ORDER) + s],
    ['r above the order', word(ORDER + 5n) + s],
    ['r of the largest number', 'f'.repeat(64) + s],
    ['s of the order', r + word(ORDER)],
    ['s of half the order and one', r + word(ORDER / 2n + 1n)],
    ['s mirrored, which anybody can reckon', r + word(ORDER - BigInt(`0x${s}`))],
    ['r that is no x of the curve', word(5n) + s],
  ])('are no signature: %s', (_, compact) => {
    for (const v of ['00', '01', '1b', '1c']) expect(recoverSigner(text, compact + v), v).toBeNull();
  });

  it('make no signature of an address that is zero or none', () => {
    for (const other of [ZERO_ADDRESS, '', '0x', address.slice(2)])
      expect(responseSignatureFault({ text, signature }, { ...exchange, address: other })).toMatch(
        /not made with the attested key/,
      );
    expect(
      responseSignatureFault({ text, signature: '00'.repeat(65) }, { ...exchange, address: ZERO_ADDRESS }),
    ).toMatch(/65 bytes/);
  });

  it('hold for v as 0 and 27 alike, and for no other v', () => {
    const v = Number.parseInt(signature.slice(130), 16);
    const holds = Array.from({ length: 256 }, (_each, candidate) => candidate).filter(
      (candidate) => recoverSigner(text, r + s + candidate.toString(16).padStart(2, '0')) === address,
    );
    expect(holds).toEqual([v - 27, v]);
  });
});
