import { gcm } from '@noble/ciphers/aes.js';
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { p256, p384 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { shake128 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { AEAD_AES_128_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke';
import { describe, expect, it, vi } from 'vitest';
import { isPointOf } from './curve-point';
import { ed25519Fault } from './ed25519-encoding';
import { isSignedBy } from './tee/x509/signature-algorithm';

/**
 * Vectors that the standards of each primitive publish, and further edge cases. The vectors of Wycheproof, ACVP and
 * HPKE run in `tee/x509/wycheproof-signatures.test.ts`, `e2ee/wycheproof.test.ts`, `e2ee/ehbp/hpke-vectors.test.ts`,
 * `e2ee/ml-kem/ml-kem-vectors.test.ts`, and for wallets in `lib/server/auth/signatures/wycheproof.test.ts`.
 */

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 120_000 });

const hex = (text: string): Uint8Array => hexToBytes(text.replace(/\s+/g, ''));
const touched = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

describe('ECDSA by our verifier, on the vectors of RFC 6979 (A.2.5, A.2.6)', () => {
  const keys = {
    'P-256': hex(
      '04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6 7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299',
    ),
    'P-384': hex(
      '04 EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13 8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720',
    ),
  } as const;
  const vectors = [
    [
      'P-256',
      'ecdsa-sha256',
      'sample',
      'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716 F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
    ],
    [
      'P-256',
      'ecdsa-sha256',
      'test',
      'F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367 019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083',
    ],
    [
      'P-256',
      'ecdsa-sha384',
      'sample',
      '0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719 4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954',
    ],
    [
      'P-384',
      'ecdsa-sha384',
      'sample',
      '94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46 99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8',
    ],
    [
      'P-384',
      'ecdsa-sha384',
      'test',
      '8203B63D3C853E8D77227FB377BCF7B7B772E97892A80F36AB775D509D7A5FEB0542A7F0812998DA8F1DD3CA3CF023DB DDD0760448D42D8A43AF45AF836FCE4DE8BE06B485E9B61B827C2F13173923E06A739F040649A667BF3B828246BAA5A5',
    ],
  ] as const;

  it.each(vectors)(
    '%s with %s over "%s" holds, and with anything touched does not',
    async (curve, algorithm, message, rs) => {
      const [key, bytes, signature] = [{ curve, point: keys[curve] }, utf8ToBytes(message), hex(rs)];
      expect(isPointOf(curve, key.point)).toBe(true);
      expect(await isSignedBy(key, algorithm, bytes, signature, 'compact')).toBe(true);
      for (let at = 0; at < signature.length; at += 5)
        expect(await isSignedBy(key, algorithm, bytes, touched(signature, at), 'compact')).toBe(false);
      expect(await isSignedBy(key, algorithm, touched(bytes, 0), signature, 'compact')).toBe(false);
      expect(await isSignedBy(key, algorithm, bytes, new Uint8Array(signature.length), 'compact')).toBe(false);
    },
  );
});

describe('ECDSA by our verifier, on what is no signature', () => {
  const message = utf8ToBytes('a report');
  const curves = [
    ['P-256', 'ecdsa-sha256', p256],
    ['P-384', 'ecdsa-sha384', p384],
  ] as const;
  const scalar = (value: bigint, size: number) => hex(value.toString(16).padStart(2 * size, '0'));

  it.each(curves)(
    '%s: r and s of nothing, of the order and beyond, and other numbers',
    async (curve, algorithm, { getPublicKey, sign, keygen, Point }) => {
      const { secretKey } = keygen();
      const point = getPublicKey(secretKey, false);
      const [size, { n: order, p: field }] = [(point.length - 1) / 2, Point.CURVE()];
      const good = sign(message, secretKey, { lowS: false });
      const [r, s] = [good.subarray(0, size), good.subarray(size)];
      expect(await isSignedBy({ curve, point }, algorithm, message, good, 'compact')).toBe(true);
      const values = [0n, 1n, 2n, order - 1n, order, order + 1n, field - 1n, field, (1n << BigInt(8 * size)) - 1n].map(
        (value) => scalar(value, size),
      );
      for (const value of values) {
        for (const pair of [
          [value, s],
          [r, value],
          [value, value],
        ] as const)
          expect(await isSignedBy({ curve, point }, algorithm, message, concatBytes(...pair), 'compact')).toBe(false);
      }
      for (const length of [0, 1, size, 2 * size - 1, 2 * size + 1, 4 * size])
        expect(await isSignedBy({ curve, point }, algorithm, message, new Uint8Array(length).fill(1), 'compact')).toBe(
          false,
        );
    },
  );

  it.each(curves)(
    '%s: keys that are no point of the curve',
    async (curve, algorithm, { getPublicKey, sign, keygen, Point }) => {
      const { secretKey } = keygen();
      const point = getPublicKey(secretKey, false);
      const signature = sign(message, secretKey);
      const size = (point.length - 1) / 2;
      const { p: field } = Point.CURVE();
      const wrong = [
        touched(point, 1),
        touched(point, 2 * size),
        touched(point, 0),
        concatBytes(Uint8Array.of(4), new Uint8Array(2 * size)),
        concatBytes(Uint8Array.of(4), scalar(field, size), point.subarray(1 + size)),
        Uint8Array.of(0),
        point.subarray(1),
        point.subarray(0, -1),
        new Uint8Array(),
      ];
      for (const each of wrong) {
        expect(isPointOf(curve, each)).toBe(false);
        expect(await isSignedBy({ curve, point: each }, algorithm, message, signature, 'compact')).toBe(false);
      }
    },
  );
});

describe('secp256k1', () => {
  it('has the multiples of its base point that are published (SEC 2), and Diffie-Hellman of them', () => {
    const twoG = hex(
      '04 c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5 1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a',
    );
    const threeG = '02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9';
    const secret = (value: number) => hex(value.toString(16).padStart(64, '0'));
    expect(isPointOf('secp256k1', twoG)).toBe(true);
    expect(bytesToHex(secp256k1.getPublicKey(secret(2), false))).toBe(bytesToHex(twoG));
    expect(bytesToHex(secp256k1.getPublicKey(secret(3), true))).toBe(threeG);
    // 3 · 2G and 2 · 3G are the same point.
    expect(bytesToHex(secp256k1.getSharedSecret(secret(3), twoG))).toBe(
      bytesToHex(secp256k1.getSharedSecret(secret(2), hex(threeG))),
    );
  });
});

describe('X25519, on the vectors of RFC 7748 (5.2, 6.1)', () => {
  it.each([
    [
      'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
      'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
      'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
    ],
    [
      '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
      'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
      '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
    ],
  ])('%s on %s', (scalar, u, out) => {
    expect(bytesToHex(x25519.scalarMult(hex(scalar), hex(u)))).toBe(out);
  });

  it('agrees on the secret of Alice and Bob', () => {
    const bob = hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb');
    expect(bytesToHex(x25519.getPublicKey(bob))).toBe(
      'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
    );
    expect(
      bytesToHex(x25519.getSharedSecret(bob, hex('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'))),
    ).toBe('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742');
  });

  it('takes coordinates beyond the field for what they come to (5)', () => {
    const secret = new Uint8Array(32).fill(9);
    const little = (value: bigint) => hex(value.toString(16).padStart(64, '0')).reverse();
    for (let above = 2n; above < 19n; above++)
      expect(bytesToHex(x25519.scalarMult(secret, little(2n ** 255n - 19n + above)))).toBe(
        bytesToHex(x25519.scalarMult(secret, little(above))),
      );
  });
});

describe('ed25519, on the vectors of RFC 8032 (7.1)', () => {
  it.each([
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('the key of %s', (secret, publicKey, message, signature) => {
    expect(bytesToHex(ed25519.getPublicKey(hex(secret)))).toBe(publicKey);
    expect(bytesToHex(ed25519.sign(hex(message), hex(secret)))).toBe(signature);
    expect(ed25519Fault(hex(publicKey), hex(signature))).toBeNull();
    expect(ed25519.verify(hex(signature), hex(message), hex(publicKey))).toBe(true);
    expect(ed25519.verify(touched(hex(signature), 5), hex(message), hex(publicKey))).toBe(false);
    // S plus the order would encode the same signature and must be refused (RFC 8032, 5.1.7).
    expect(ed25519Fault(hex(publicKey), hex(`${signature.slice(0, 64)}${'ff'.repeat(32)}`))).toContain('order');
  });
});

describe('authenticated ciphers', () => {
  const key = hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308');
  const plain =
    'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39';
  it.each([
    ['13', '00'.repeat(32), '00'.repeat(12), '', '', '530f8afbc74536b9a963b4f1c4cb738b'],
    [
      '14',
      '00'.repeat(32),
      '00'.repeat(12),
      '00'.repeat(16),
      '',
      'cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919',
    ],
    [
      '16',
      bytesToHex(key),
      'cafebabefacedbaddecaf888',
      plain,
      'feedfacedeadbeeffeedfacedeadbeefabaddad2',
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b',
    ],
  ])('AES-256-GCM, test case %s of its authors', (_name, secret, nonce, text, aad, expected) => {
    const cipher = () => gcm(hex(secret), hex(nonce), aad === '' ? undefined : hex(aad));
    expect(bytesToHex(cipher().encrypt(hex(text))).slice(0, expected.length)).toBe(expected);
    const sealed = cipher().encrypt(hex(text));
    expect(bytesToHex(cipher().decrypt(sealed))).toBe(text);
    for (let at = 0; at < sealed.length; at += 3) expect(() => cipher().decrypt(touched(sealed, at))).toThrow();
  });

  const sunscreen = utf8ToBytes(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  );
  const aad = hex('50515253c0c1c2c3c4c5c6c7');
  it('ChaCha20-Poly1305, RFC 8439 (2.8.2)', () => {
    const cipher = () =>
      chacha20poly1305(
        Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
        hex('070000004041424344454647'),
        aad,
      );
    const sealed = cipher().encrypt(sunscreen);
    expect(bytesToHex(sealed.subarray(0, 16))).toBe('d31a8d34648e60db7b86afbc53ef7ec2');
    expect(bytesToHex(sealed.subarray(-16))).toBe('1ae10b594f09e26a7e902ecbd0600691');
    expect(() => cipher().decrypt(touched(sealed, 3))).toThrow();
  });

  it('XChaCha20-Poly1305, draft-irtf-cfrg-xchacha (A.3.1)', () => {
    const cipher = () =>
      xchacha20poly1305(
        Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
        Uint8Array.from({ length: 24 }, (_, index) => 0x40 + index),
        aad,
      );
    const sealed = cipher().encrypt(sunscreen);
    expect(bytesToHex(sealed.subarray(0, 16))).toBe('bd6d179d3e83d43b9576579493c0e939');
    expect(bytesToHex(sealed.subarray(-16))).toBe('c0875924c1c7987947deafd8780acf49');
    expect(() => cipher().decrypt(touched(sealed, 3))).toThrow();
  });
});

describe('HPKE, on the vectors of RFC 9180 (A.1.1: base mode, X25519, HKDF-SHA256)', () => {
  const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_128_GCM);
  const info = hex('4f6465206f6e2061204772656369616e2055726e');
  const enc = hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431');
  const context = async () =>
    suite.SetupRecipient(
      await suite.DeserializePrivateKey(hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'), true),
      enc,
      { info },
    );

  it('derives the recipient’s pair, opens in order what was sealed, and exports the secrets', async () => {
    const pair = await suite.DeriveKeyPair(
      hex('6db9df30aa07dd42ee5e8181afdb977e538f5e1fec8a06223f33f7013e525037'),
      true,
    );
    expect(bytesToHex(await suite.SerializePublicKey(pair.publicKey))).toBe(
      '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d',
    );
    const recipient = await context();
    const ciphertexts = [
      'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
      'af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab251c03d0c22a56b8ca42c2063b84',
      '498dfcabd92e8acedc281e85af1cb4e3e31c7dc394a1ca20e173cb72516491588d96a19ad4a683518973dcc180',
    ];
    for (const [index, ciphertext] of ciphertexts.entries())
      expect(bytesToHex(await recipient.Open(hex(ciphertext), utf8ToBytes(`Count-${index}`)))).toBe(
        '4265617574792069732074727574682c20747275746820626561757479',
      );
    expect(bytesToHex(await recipient.Export(new Uint8Array(), 32))).toBe(
      '3853fe2b4035195a573ffc53856e77058e15d9ea064de3e59f4961d0095250ee',
    );
    expect(bytesToHex(await recipient.Export(hex('00'), 32))).toBe(
      '2e8f0b54673c7029649d4eb9d5e33bf1872cf76d623ff164ac185da9e88c21a5',
    );
    expect(bytesToHex(await recipient.Export(utf8ToBytes('TestContext'), 32))).toBe(
      'e9e43065102c3836401bed8c3c3c75ae46be1639869391d62c61f1ec7af54931',
    );
    await expect((await context()).Open(hex(ciphertexts[1] as string), utf8ToBytes('Count-1'))).rejects.toThrow();
  });
});

describe('ML-KEM-768', () => {
  it('makes the accumulated vector of C2SP’s CCTV: keys, ciphertexts, secrets, and those of ciphertexts that nobody made', () => {
    const drawn = shake128.create({ dkLen: 32 });
    const seen = shake128.create({ dkLen: 32 });
    for (let round = 0; round < 100; round++) {
      const { publicKey, secretKey } = ml_kem768.keygen(drawn.xof(64));
      const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, drawn.xof(32));
      expect(bytesToHex(ml_kem768.decapsulate(cipherText, secretKey))).toBe(bytesToHex(sharedSecret));
      for (const part of [publicKey, cipherText, sharedSecret, ml_kem768.decapsulate(drawn.xof(1_088), secretKey)])
        seen.update(part);
    }
    expect(bytesToHex(seen.xof(32))).toBe('1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415');
  });

  it('refuses keys and ciphertexts of another form (FIPS 203, 7.2 and 7.3), and gives others no secret that is right', () => {
    const { publicKey, secretKey } = ml_kem768.keygen(new Uint8Array(64).fill(3));
    const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey, new Uint8Array(32).fill(4));
    // The first coefficient becomes the modulus 3,329, or a larger number.
    for (const [low, high] of [
      [0x01, 0x0d],
      [0xff, 0xff],
    ] as const)
      expect(() => ml_kem768.encapsulate(concatBytes(Uint8Array.of(low, high), publicKey.subarray(2)))).toThrow();
    for (const key of [publicKey.subarray(1), concatBytes(publicKey, Uint8Array.of(0)), new Uint8Array()])
      expect(() => ml_kem768.encapsulate(key)).toThrow();
    for (const text of [cipherText.subarray(1), concatBytes(cipherText, Uint8Array.of(0)), new Uint8Array()])
      expect(() => ml_kem768.decapsulate(text, secretKey)).toThrow();
    // Changes the hash of the public key inside the secret key.
    expect(() => ml_kem768.decapsulate(cipherText, touched(secretKey, 2_400 - 64))).toThrow();
    for (let at = 0; at < cipherText.length; at += 97)
      expect(bytesToHex(ml_kem768.decapsulate(touched(cipherText, at), secretKey))).not.toBe(bytesToHex(sharedSecret));
  });
});
