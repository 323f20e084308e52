import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import {
  decryptContent,
  encryptContent,
  ENCRYPTED_CONTENT_HEX_MIN,
  generateE2eeKeyPair,
  isEncryptedContent,
  readReplyContent,
} from './codec';
import { E2EE_MESSAGES, E2eeError, type E2eeFault } from './e2ee-error';
import { nodeDecrypt, nodeEncrypt } from './testing/node-codec';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const texts = [
  '',
  ' ',
  'hello',
  'Grüße, 世界 🦊',
  '\uFEFFwith a byte order mark',
  'a\u0000b',
  '{"json": "inside"}',
  'x'.repeat(70_000),
];
const faultOf = (run: () => unknown): E2eeFault => {
  try {
    run();
  } catch (error) {
    if (error instanceof E2eeError) return error.fault;
    throw error;
  }
  throw new Error('nothing was refused');
};
function pointOrNull(compressed: string): Uint8Array | null {
  try {
    return secp256k1.Point.fromHex(compressed).toBytes(false);
  } catch {
    return null;
  }
}
const filled = (byte: number, length: number) => new Uint8Array(length).fill(byte);

describe('the codec of encrypted content', () => {
  it('yields the fixed vector', () => {
    const recipient = filled(3, 32);
    const content = encryptContent('hello', secp256k1.getPublicKey(recipient, false), {
      ephemeralSecretKey: filled(1, 32),
      nonce: filled(2, 12),
    });
    expect(content.slice(0, 130)).toBe(bytesToHex(secp256k1.getPublicKey(filled(1, 32), false)));
    expect(content.slice(130, 154)).toBe('02'.repeat(12));
    expect(content.slice(154)).toBe('12eeda0b158ea196f4047407532c9f5e901f2293d0');
    expect(decryptContent(content, recipient)).toBe('hello');
    const x = secp256k1.getSharedSecret(recipient, secp256k1.getPublicKey(filled(1, 32), false)).subarray(1);
    expect(bytesToHex(hkdf(sha256, x, undefined, utf8ToBytes('ecdsa_encryption'), 32))).toBe(
      'e3ff192b73e96eaee4c7a6b9ce60a39d3924e6435c421d3b612a551141fffd71',
    );
  });

  it.each(texts.map((text) => [text.slice(0, 20), text]))('gives back %j', (_, text) => {
    const { secretKey, publicKey } = generateE2eeKeyPair();
    const content = encryptContent(text, publicKey);
    expect(content).toMatch(/^04[0-9a-f]+$/);
    expect(content).toHaveLength(ENCRYPTED_CONTENT_HEX_MIN + 2 * utf8ToBytes(text).length);
    expect(decryptContent(content, secretKey)).toBe(text);
    expect(decryptContent(content.toUpperCase(), secretKey)).toBe(text);
  });

  it('makes 186 characters of an empty text, which is the least there is', () => {
    expect(ENCRYPTED_CONTENT_HEX_MIN).toBe(186);
    expect(encryptContent('', generateE2eeKeyPair().publicKey)).toHaveLength(186);
  });

  it('draws a new key and nonce for every content', () => {
    const { publicKey } = generateE2eeKeyPair();
    const contents = Array.from({ length: 20 }, () => encryptContent('same', publicKey));
    expect(new Set(contents.map((content) => content.slice(0, 130))).size).toBe(20);
    expect(new Set(contents.map((content) => content.slice(130, 154))).size).toBe(20);
  });

  it('speaks with an implementation on node:crypto, both ways', () => {
    for (const text of texts) {
      const { secretKey, publicKey } = generateE2eeKeyPair();
      expect(decryptContent(nodeEncrypt(text, bytesToHex(publicKey)), secretKey)).toBe(text);
      expect(nodeDecrypt(encryptContent(text, publicKey), bytesToHex(secretKey))).toBe(text);
    }
  });

  it('keeps the zeros with which a shared x may start', () => {
    const recipient = { secretKey: filled(5, 32), publicKey: secp256k1.getPublicKey(filled(5, 32), false) };
    // With these ephemeral secrets the shared x starts with a zero byte. A search found them.
    for (const secret of [225, 518]) {
      const ephemeralSecretKey = hexToBytes(secret.toString(16).padStart(64, '0'));
      expect(secp256k1.getSharedSecret(ephemeralSecretKey, recipient.publicKey)[1]).toBe(0);
      const content = encryptContent('zero', recipient.publicKey, { ephemeralSecretKey, nonce: filled(9, 12) });
      expect(nodeDecrypt(content, bytesToHex(recipient.secretKey))).toBe('zero');
      expect(decryptContent(content, recipient.secretKey)).toBe('zero');
    }
  });

  it('agrees with node:crypto on public keys with peculiar coordinates', () => {
    // Small x, the largest x and both signs of y, at which multi-limb arithmetic often fails.
    const prime = secp256k1.Point.Fp.ORDER;
    const candidates = [
      1n,
      2n,
      3n,
      4n,
      6n,
      8n,
      1n << 32n,
      (1n << 128n) - 1n,
      1n << 255n,
      prime - 1n,
      prime - 2n,
      prime - 3n,
      prime - 4n,
    ];
    const points = candidates
      .flatMap((x) => ['02', '03'].map((sign) => pointOrNull(sign + x.toString(16).padStart(64, '0'))))
      .filter((point) => point !== null);
    expect(points.length).toBeGreaterThan(10);
    for (const point of points) {
      const ephemeralSecretKey = filled(0x11, 32);
      const content = encryptContent('peculiar', point, { ephemeralSecretKey, nonce: filled(9, 12) });
      // The recipient's secret key is unknown, so the test decrypts from the sender's side, which shares the ECDH
      // secret.
      expect(nodeDecrypt(bytesToHex(point) + content.slice(130), bytesToHex(ephemeralSecretKey))).toBe('peculiar');
    }
  });

  it('agrees with node:crypto on the smallest and the largest secrets', () => {
    const order = secp256k1.Point.Fn.ORDER;
    for (const secret of [1n, 2n, 3n, order - 1n, order - 2n, order / 2n]) {
      const secretKey = hexToBytes(secret.toString(16).padStart(64, '0'));
      const publicKey = secp256k1.getPublicKey(secretKey, false);
      expect(decryptContent(nodeEncrypt('edge', bytesToHex(publicKey)), secretKey)).toBe('edge');
      expect(nodeDecrypt(encryptContent('edge', publicKey), bytesToHex(secretKey))).toBe('edge');
    }
  });
});

const pythonHere = spawnSync('python3', ['-c', 'import cryptography'], { timeout: 20_000 }).status === 0;
if (!pythonHere) console.log('Python with the package "cryptography" is not here: the codec is not tested against it.');
else {
  it('speaks with an implementation on Python’s cryptography, both ways', () => {
    const mine = generateE2eeKeyPair();
    const commands = texts.flatMap((text) => [
      { do: 'encrypt', text, key: bytesToHex(mine.publicKey) },
      { do: 'decrypt', content: encryptContent(text, mine.publicKey), key: bytesToHex(mine.secretKey) },
    ]);
    const script = fileURLToPath(new URL('testing/python-codec.py', import.meta.url));
    const { stdout, status } = spawnSync('python3', [script], {
      input: commands.map((command) => `${JSON.stringify(command)}\n`).join(''),
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string);
    texts.forEach((text, index) => {
      expect(decryptContent(answers[2 * index] as string, mine.secretKey)).toBe(text);
      expect(answers[2 * index + 1]).toBe(text);
    });
  });
}

describe('encrypted content that was touched', () => {
  const { secretKey, publicKey } = generateE2eeKeyPair();
  const content = encryptContent('what nobody else may read', publicKey);

  it('is refused cut at every length, in characters', () => {
    for (let length = 0; length < content.length; length++) {
      const cut = content.slice(0, length);
      expect(faultOf(() => decryptContent(cut, secretKey))).toBe(
        length < 186 || length % 2 === 1 ? 'ENCRYPTED_FIELD_NOT_HEX' : 'DECRYPTION_FAILED',
      );
    }
  });

  it('is refused with a flipped bit, wherever it is', () => {
    const bytes = hexToBytes(content);
    const random = new SeededRandom(1);
    for (let index = 0; index < bytes.length; index++) {
      const touched = bytes.slice();
      touched[index] = (touched[index] as number) ^ (1 << random.integer(0, 7));
      expect(faultOf(() => decryptContent(bytesToHex(touched), secretKey))).toBe('DECRYPTION_FAILED');
    }
  });

  it('is refused with bytes added, or with the tag of another content', () => {
    const other = encryptContent('what nobody else may read', publicKey);
    expect(faultOf(() => decryptContent(`${content}00`, secretKey))).toBe('DECRYPTION_FAILED');
    expect(faultOf(() => decryptContent(content.slice(0, -32) + other.slice(-32), secretKey))).toBe(
      'DECRYPTION_FAILED',
    );
  });

  it('is refused with any other tag or nonce, and with the parts of another text', () => {
    const nonce = content.slice(130, 154);
    for (const other of ['00'.repeat(12), 'ff'.repeat(12), `${nonce.slice(2)}00`])
      expect(faultOf(() => decryptContent(content.slice(0, 130) + other + content.slice(154), secretKey))).toBe(
        'DECRYPTION_FAILED',
      );
    for (const tag of ['00'.repeat(16), 'ff'.repeat(16)])
      expect(faultOf(() => decryptContent(content.slice(0, -32) + tag, secretKey))).toBe('DECRYPTION_FAILED');
    // An empty text has only a tag, which must still be verified.
    const empty = encryptContent('', publicKey);
    expect(decryptContent(empty, secretKey)).toBe('');
    expect(faultOf(() => decryptContent(empty.slice(0, -2) + (empty.endsWith('00') ? '01' : '00'), secretKey))).toBe(
      'DECRYPTION_FAILED',
    );
  });

  it('is refused by another key', () => {
    expect(faultOf(() => decryptContent(content, generateE2eeKeyPair().secretKey))).toBe('DECRYPTION_FAILED');
  });

  it('is refused where the plaintext is not UTF-8', () => {
    expect(
      faultOf(() => decryptContent(nodeEncrypt(Uint8Array.of(0xff, 0xfe), bytesToHex(publicKey)), secretKey)),
    ).toBe('DECRYPTION_FAILED');
  });

  it('is refused with an ephemeral key that is off the curve, at infinity, compressed or hybrid', () => {
    const rest = content.slice(130);
    const x = content.slice(2, 66);
    const heads = [
      '04' + '00'.repeat(64),
      '04' + 'ff'.repeat(64),
      '04' + x + '00'.repeat(32),
      '06' + content.slice(2, 130),
      '07' + content.slice(2, 130),
      '02' + x + '00'.repeat(32),
      '00'.repeat(65),
    ];
    for (const head of heads) expect(faultOf(() => decryptContent(head + rest, secretKey))).toBe('DECRYPTION_FAILED');
  });

  it('never says more than the specified sentence', () => {
    try {
      decryptContent(`${content}00`, secretKey);
    } catch (error) {
      expect((error as Error).message).toBe(E2EE_MESSAGES.DECRYPTION_FAILED);
    }
  });
});

describe('content of a reply', () => {
  const { secretKey, publicKey } = generateE2eeKeyPair();

  it('is taken as it is only where there is nothing to read', () => {
    for (const blank of ['', ' ', '\n\t ']) expect(readReplyContent(blank, secretKey)).toBe(blank);
  });

  it('is decrypted', () => {
    expect(readReplyContent(encryptContent('answer', publicKey), secretKey)).toBe('answer');
  });

  it.each(['a', 'Hello', 'deadbeef', 'ab'.repeat(92), 'zz'.repeat(100), ' ' + 'ab'.repeat(100)])(
    'is refused in plain: %j',
    (plain) => {
      expect(faultOf(() => readReplyContent(plain, secretKey))).toMatch(/ENCRYPTED_FIELD_NOT_HEX|DECRYPTION_FAILED/);
    },
  );

  it('is refused where it is long hex that was never encrypted', () => {
    expect(isEncryptedContent('ab'.repeat(93))).toBe(true);
    expect(faultOf(() => readReplyContent('ab'.repeat(93), secretKey))).toBe('DECRYPTION_FAILED');
  });
});
