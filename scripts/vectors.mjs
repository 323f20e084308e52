import './parts/node-version.mjs';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { UsageError, runCommand } from './parts/command-line.mjs';
import { inRepository } from './parts/repository.mjs';

const help = `
npm run vectors -- WYCHEPROOF [GO] [OPENSSL]

Makes the files of lib/protocol/testing/vectors from the sources of Wycheproof, and, if their folders are given, of Go
(HPKE) and of OpenSSL (ACVP's vectors of ML-KEM). The README.md in that folder describes the files.
`;

/** @typedef {Record<string, any>} Json */

const TARGET = 'lib/protocol/testing/vectors';
/** @param {string} hex */
const sha256 = (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
/** @param {string} text */
const hexOf = (text) => Buffer.from(text, 'base64url').toString('hex');
/** @param {Json} group */
const derKey = ({ publicKeyDer }) => ({ key: publicKeyDer });
/** @param {Json} group */
const size = ({ keySize, ivSize }) => ({ keySize, ivSize });
/** Seeds of ML-KEM keys in Wycheproof's files. @type {Map<string, string>} */
const seedOfKey = new Map();
/** @param {Json} test */
const isOfficial = ({ comment }) => comment?.startsWith('Test vector based on official round 3 seeds') ?? false;

/**
 * For each file, functions that return the members to store from a group and from a test. The number, comment, flags
 * and result of a test are always stored. Null omits a group or test.
 * @type {Record<string, {group?: (group: Json) => Json | null, test?: (test: Json) => Json | null}>}
 */
const FILES = {
  aes_gcm: { group: (group) => (group.keySize === 256 ? size(group) : null) },
  chacha20_poly1305: { group: size },
  ecdh_secp256k1_webcrypto: {
    test: ({ public: { crv, x, y }, private: { d }, shared }) => ({
      crv: crv === 'P-256K' ? undefined : crv,
      public: `04${hexOf(x)}${hexOf(y)}`,
      private: hexOf(d),
      shared,
    }),
  },
  ecdsa_secp256k1_sha256_p1363: { group: ({ publicKey }) => ({ key: publicKey.uncompressed }) },
  ecdsa_secp256r1_sha256: { group: derKey },
  ecdsa_secp256r1_sha256_p1363: { group: derKey },
  ecdsa_secp384r1_sha256: { group: derKey },
  ecdsa_secp384r1_sha384: { group: derKey },
  ecdsa_secp384r1_sha384_p1363: { group: derKey },
  ed25519: { group: ({ publicKey }) => ({ key: publicKey.pk }) },
  hkdf_sha256: {},
  // Must come first, because later files refer to keys by the seeds in this file.
  mlkem_768_keygen_seed: {
    test: ({ seed, ek, dk }) => (seedOfKey.set(ek, seed), { seed, ekSha256: sha256(ek), dkSha256: sha256(dk) }),
  },
  mlkem_768_encaps: {
    test: ({ ek, m, c, K }) => ({
      ...(seedOfKey.has(ek) ? { seed: seedOfKey.get(ek) } : { ek }),
      m,
      ...(c ? { cSha256: sha256(c), K } : {}),
    }),
  },
  // Omits the tests with official seeds, because their ciphertexts equal the results in `mlkem_768_encaps`.
  mlkem_768: { test: (test) => (isOfficial(test) ? null : { seed: test.seed, c: test.c, K: test.K }) },
  mlkem_768_semi_expanded_decaps: { test: ({ dk, c, K }) => ({ dk, c, K }) },
  rsa_pss_2048_sha384_mgf1_48: { group: derKey },
  rsa_pss_4096_sha384_mgf1_48: { group: derKey },
  rsa_pss_misc_params: { group: ({ sha, mgfSha, sLen, publicKeyDer }) => ({ sha, mgfSha, sLen, key: publicKeyDer }) },
  rsa_signature_2048_sha256: { group: derKey },
  rsa_signature_2048_sha384: { group: derKey },
  x25519: {},
  xchacha20_poly1305: { group: size },
};

await runCommand(async () => {
  const [wycheproof, go, openssl] = process.argv.slice(2);
  if (wycheproof === '--help' || wycheproof === '-h') {
    console.log(help.trim());
    return 0;
  }
  if (!wycheproof) throw new UsageError('A folder is missing: npm run vectors -- WYCHEPROOF. See --help.');
  for (const [name, kept] of Object.entries(FILES))
    write(`wycheproof/${name}.json`, reduced(read(wycheproof, `testvectors_v1/${name}_test.json`), kept));
  copy(wycheproof, 'LICENSE', 'wycheproof/LICENSE');
  if (go) {
    const ofX25519 = read(go, 'src/crypto/hpke/testdata/rfc9180.json').filter(
      (/** @type {Json} */ vector) => vector.kem_id === 0x20,
    );
    write('hpke/rfc9180_x25519.json', [{ tests: ofX25519 }]);
    copy(go, 'LICENSE', 'hpke/LICENSE');
  }
  if (openssl) {
    write('acvp/ml_kem_768.json', acvp(path.join(openssl, 'test/recipes/30-test_evp_data')));
    copy(openssl, 'LICENSE.txt', 'acvp/LICENSE');
  }
  return 0;
});

/** @param {Json} file @param {typeof FILES[string]} kept @returns {Json[]} the groups that have tests */
function reduced({ testGroups }, { group = () => ({}), test = inputsOf }) {
  return testGroups.flatMap((/** @type {Json} */ each) => {
    const head = group(each);
    const tests = each.tests.flatMap((/** @type {Json} */ one) => {
      const body = head && test(one);
      return body
        ? [
            {
              tcId: one.tcId,
              comment: one.comment || undefined,
              flags: one.flags?.length ? one.flags : undefined,
              ...body,
              result: one.result,
            },
          ]
        : [];
    });
    return tests.length > 0 ? [{ ...head, tests }] : [];
  });
}

/** @param {Json} test @returns {Json} members that are specific to the algorithm */
function inputsOf(test) {
  return Object.fromEntries(
    Object.entries(test).filter(([name]) => !['tcId', 'comment', 'flags', 'result'].includes(name)),
  );
}

/**
 * Reads ACVP's vectors of ML-KEM-768 from OpenSSL's tests. Skips the copies of these vectors for other security
 * categories, because they are identical.
 *
 * @param {string} folder
 * @returns {Json[]}
 */
function acvp(folder) {
  const blocks = ['keygen', 'encap_decap'].flatMap((name) =>
    fs.readFileSync(path.join(folder, `evppkey_ml_kem_${name}.txt`), 'utf8').split('\n\n'),
  );
  /** @type {Json[]} */
  const tests = blocks
    .filter((block) => /= ML-KEM-768$/m.test(block) && !block.includes('Security-Category'))
    .map((block) => {
      const told = (/** @type {RegExp} */ line) => line.exec(block)?.[1]?.toLowerCase() ?? '';
      const [tcId, seed, dk] = [
        Number(told(/tcId(?: = )?(\d+)/)),
        told(/hexseed:(\w+)/),
        told(/EncodedPrivateKey = (\w+)/),
      ];
      if (seed)
        return {
          kind: 'keyGen',
          tcId,
          seed,
          ekSha256: sha256(told(/hexpub:(\w+)/)),
          dkSha256: sha256(told(/hexpriv:(\w+)/)),
        };
      const K = told(/Output = (\w+)/);
      if (dk) return { kind: 'decapsulation', tcId, comment: told(/^# (\D+)$/m), dk, c: told(/Input = (\w+)/), K };
      return {
        kind: 'encapsulation',
        tcId,
        ek: told(/EncodedPublicKey = (\w+)/),
        m: told(/Entropy = (\w+)/),
        cSha256: sha256(told(/Ciphertext = (\w+)/)),
        K,
      };
    });
  return ['keyGen', 'encapsulation', 'decapsulation'].map((kind) => {
    const ofKind = tests.filter((test) => test.kind === kind);
    const [dk, ...others] = new Set(ofKind.map((test) => test.dk));
    if (others.length > 0) throw new Error('The decapsulations use several keys, but one key was expected.');
    return { kind, dk, tests: ofKind.map((test) => ({ ...test, kind: undefined, dk: undefined })) };
  });
}

/** @param {string} folder @param {string} file @returns {any} */
function read(folder, file) {
  if (!fs.existsSync(path.join(folder, file))) throw new UsageError(`There is no ${file} in ${folder}.`);
  return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
}

/**
 * Writes one test per line, so that the changes in a new version are readable.
 *
 * @param {string} file
 * @param {Json[]} groups
 */
function write(file, groups) {
  const lines = groups.map(
    ({ tests, ...head }) =>
      `{${JSON.stringify(head).slice(1, -1)}${Object.keys(head).length > 0 ? ',' : ''}"tests":[\n${tests.map((/** @type {Json} */ test) => JSON.stringify(test)).join(',\n')}\n]}`,
  );
  fs.mkdirSync(path.dirname(inRepository(TARGET, file)), { recursive: true });
  fs.writeFileSync(inRepository(TARGET, file), `[\n${lines.join(',\n')}\n]\n`);
}

/** @param {string} folder @param {string} from @param {string} to */
function copy(folder, from, to) {
  fs.copyFileSync(path.join(folder, from), inRepository(TARGET, to));
}
