import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { addressOf } from '@/lib/protocol/e2ee/public-key';
import { ed25519Fault } from '@/lib/protocol/ed25519-encoding';
import { keyVerdict, recoverInJavaScript } from '@/lib/protocol/evm-signature';
import { misjudged, nameOf, readWycheproof } from '@/lib/protocol/testing/vector-file';
import { isEd25519Signature } from '../solana-signature';
import { evmKeyVerdict } from '../verify-signature';

interface Signed {
  /** 32 bytes for ed25519, 65 for secp256k1. */
  key: string;
  msg: string;
  sig: string;
}

describe('ed25519, on the vectors of Wycheproof', () => {
  const vectors = readWycheproof<Signed>('ed25519');
  const bytesOf = ({ key, msg, sig }: Signed) => [hexToBytes(key), hexToBytes(msg), hexToBytes(sig)] as const;

  it('is judged right by the server, which verifies with OpenSSL', async () => {
    expect(vectors).toHaveLength(150);
    expect(await misjudged(vectors, (vector) => isEd25519Signature(...bytesOf(vector)))).toEqual([]);
  });

  it('is judged right by browsers, which verify the answers of enclaves in JavaScript', async () => {
    expect(await misjudged(vectors, (vector) => holdsInJavaScript(...bytesOf(vector)))).toEqual([]);
  });
});

describe('a signature of secp256k1 as wallets give it (r ‖ s ‖ v), on the vectors of Wycheproof', () => {
  const vectors = readWycheproof<Signed>('ecdsa_secp256k1_sha256_p1363');
  const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;
  // R has an x above the order, which v (27 or 28) cannot express. Ethereum has no v for such signatures (yellow paper,
  // appendix F).
  const isBeyondV = ({ comment, result }: (typeof vectors)[number]) =>
    result === 'valid' &&
    /^k\*G has a large x-coordinate$|x = n \+ 2 is the smallest possible x with a reduction$/.test(comment ?? '');
  const hasHighS = (sig: string) => BigInt(`0x${sig.slice(64)}`) > ORDER / 2n;

  it.each([
    ['the server', evmKeyVerdict],
    [
      'browsers',
      (address: string, hash: Uint8Array, signature: string) =>
        keyVerdict(address, hash, signature, recoverInJavaScript),
    ],
  ] as const)(
    'is judged right by %s: with one v where it holds, as the mirrored form where s is high, and with none where it does not hold',
    (_, verdictOf) => {
      expect(vectors).toHaveLength(252);
      expect(vectors.filter(isBeyondV)).toHaveLength(2);
      const wrong = vectors.flatMap((vector) => {
        const verdicts = [27, 28, 0, 1].map((v) =>
          verdictOf(
            addressOf(hexToBytes(vector.key)),
            sha256(hexToBytes(vector.msg)),
            `0x${vector.sig}${v.toString(16).padStart(2, '0')}`,
          ),
        );
        const found = verdicts.filter((verdict) => verdict !== 'not-signed');
        const form = vector.result === 'valid' && hasHighS(vector.sig) ? 'mirrored' : 'signed';
        // A valid signature fits exactly one v of 27 and 28, and exactly one of 0 and 1, which hardware wallets use.
        const expected = vector.result === 'valid' && !isBeyondV(vector) ? [form, form] : [];
        return found.join() === expected.join() ? [] : [`${nameOf(vector)}: ${verdicts.join()}`];
      });
      expect(wrong).toEqual([]);
    },
  );
});

/**
 * Verifies as `ed25519ResponseFault` does. That function itself cannot verify the arbitrary messages of the vectors.
 */
function holdsInJavaScript(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return ed25519Fault(key, signature) === null && ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}
