import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJson } from 'ethers';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountPlaces, readAccountSource } from './account-source';
import type { CommandIo } from './command';

/**
 * Guarantee: the account comes from a file, the environment or a keychain, never from the command line. Errors are
 * sentences without the secret.
 */

const key = generatePrivateKey();
const { address } = privateKeyToAccount(key);
const PASSWORD = 'a passphrase of a test';
let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-account-'));
  writeFileSync(
    at('keystore.json'),
    await encryptKeystoreJson({ address, privateKey: key }, PASSWORD, { scrypt: { N: 1024, r: 8, p: 1 } }),
  );
  writeFileSync(at('password'), `${PASSWORD}\n`);
  writeFileSync(at('wrong'), 'another\n');
  writeFileSync(at('cut.json'), '{"version":3,"crypto":{"cipher":"aes-128-ctr"}}');
  writeFileSync(at('long.json'), ' '.repeat(70_000));
  writeFileSync(at('solana.json'), JSON.stringify([...seed, ...(await publicKeyOf(seed))]));
  writeFileSync(at('text'), 'not a key');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seed = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
async function publicKeyOf(bytes: Uint8Array): Promise<Uint8Array> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(bytes));
  return base58.decode(signer.address);
}

function read(places: AccountPlaces, { env = {}, secret }: { env?: CommandIo['env']; secret?: string } = {}) {
  const io: CommandIo = {
    env,
    out: () => undefined,
    err: () => undefined,
    write: () => undefined,
    askSecret: secret === undefined ? null : () => Promise.resolve(secret),
    readInput: () => Promise.resolve(''),
    readLines: async function* () {},
    signal: new AbortController().signal,
  };
  return readAccountSource(places, io);
}

describe('a keystore', () => {
  test.each([
    ['by a file of its password', { 'password-file': 'password' }, {}],
    ['by what is typed', {}, { secret: PASSWORD }],
    ['by the environment', {}, { env: { TURNPIKE_KEYSTORE_PASSWORD: PASSWORD } }],
  ])('opens %s', async (_, places, given) => {
    const passwordFile = (places as { 'password-file'?: string })['password-file'];
    expect(
      await read({ keystore: at('keystore.json'), ...(passwordFile && { 'password-file': at(passwordFile) }) }, given),
    ).toMatchObject({ address });
  });

  test.each([
    [
      'with a wrong password',
      { keystore: 'keystore.json', 'password-file': 'wrong' },
      /keystore\.json cannot be opened with this password\.$/,
    ],
    [
      'where nobody is there to be asked',
      { keystore: 'keystore.json' },
      /needs its password: give --password-file, or set TURNPIKE_KEYSTORE_PASSWORD/,
    ],
    [
      'that is invalid',
      { keystore: 'text', 'password-file': 'password' },
      /text is not an Ethereum keystore of version 3/,
    ],
    [
      'that is cut',
      { keystore: 'cut.json', 'password-file': 'password' },
      /cut\.json is not an Ethereum keystore of version 3/,
    ],
    ['that is not there', { keystore: 'nowhere', 'password-file': 'password' }, /nowhere cannot be read: ENOENT/],
    ['that is too long to be one', { keystore: 'long.json', 'password-file': 'password' }, /too long/],
    ['without its file, but its password’s', { 'password-file': 'password' }, /--password-file needs --keystore/],
  ])('%s is refused', async (_, places, sentence) => {
    const named = Object.fromEntries(Object.entries(places).map(([name, file]) => [name, at(file)]));
    await expect(read(named)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(sentence) as string,
    });
  });
});

describe('the environment', () => {
  test.each([
    ['a private key', { TURNPIKE_PRIVATE_KEY: key }],
    ['a private key without 0x', { TURNPIKE_PRIVATE_KEY: ` ${key.slice(2)}\n` }],
  ])('has %s', async (_, env) => {
    expect(await read({}, { env })).toMatchObject({ address });
  });

  test('has a key of Solana, as base58 of 32 or 64 bytes or as a list', async () => {
    const signerAddress = base58.encode(await publicKeyOf(seed));
    const whole = Uint8Array.from([...seed, ...(await publicKeyOf(seed))]);
    for (const secret of [base58.encode(whole), JSON.stringify([...whole]), JSON.stringify([...seed])])
      expect(await read({}, { env: { TURNPIKE_PRIVATE_KEY: secret } })).toMatchObject({ address: signerAddress });
    expect(await read({ 'solana-keypair': at('solana.json') })).toMatchObject({ address: signerAddress });
  });

  test('has an API key', async () => {
    expect(await read({}, { env: { TURNPIKE_API_KEY: 'tpk_abcdefgh ' } })).toBe('tpk_abcdefgh');
  });

  test.each([
    ['nothing', {}, /No account is set/],
    ['both', { TURNPIKE_API_KEY: 'tpk_abcdefgh', TURNPIKE_PRIVATE_KEY: key }, /are both set/],
    [
      'no key',
      { TURNPIKE_PRIVATE_KEY: 'correct horse battery staple' },
      /The content of TURNPIKE_PRIVATE_KEY is not a private key\.$/,
    ],
    ['zero, which is no key', { TURNPIKE_PRIVATE_KEY: `0x${'0'.repeat(64)}` }, /is not a private key/],
    ['a list of numbers that is no key', { TURNPIKE_PRIVATE_KEY: '[1,2,300]' }, /is not a private key/],
  ])('with %s is refused, without the secret', async (_, env, sentence) => {
    const error = (await read({}, { env }).catch((reason: unknown) => reason)) as Error;
    expect([error.name, error.message]).toEqual(['UsageError', expect.stringMatching(sentence)]);
    for (const secret of Object.values(env)) expect(error.message).not.toContain(secret);
  });
});

describe('a keychain', () => {
  /** Installs a `secret-tool` that knows one account in its own PATH. */
  const withTool = (script: string) => {
    const tools = mkdtempSync(join(folder, 'tools-'));
    for (const name of ['secret-tool', 'security']) {
      writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(tools, name), 0o755);
    }
    return { env: { PATH: tools } };
  };

  test('has a private key, or an API key, under the account that is named', async () => {
    expect(await read({ keychain: 'me' }, withTool(`case "$*" in *me*) echo ${key};; *) exit 1;; esac`))).toMatchObject(
      { address },
    );
    expect(await read({ keychain: 'me' }, withTool('echo tpk_abcdefgh'))).toBe('tpk_abcdefgh');
  });

  test.each([
    ['that has nothing', 'exit 1', /has nothing under the service "turnpike" and the account "me"/],
    ['that has something else', 'echo "[not a key"', /not a private key or an API key/],
  ])('%s is said so', async (_, script, sentence) => {
    await expect(read({ keychain: 'me' }, withTool(script))).rejects.toThrow(sentence);
  });

  test('that is not there is said so, with what to do', async () => {
    await expect(read({ keychain: 'me' }, { env: { PATH: join(folder, 'nowhere') } })).rejects.toThrow(
      /The keychain needs the program (secret-tool|security), which is not installed\. Use --keystore, or environment variables\./,
    );
  });
});

test('two places at once are refused', async () => {
  await expect(read({ keystore: at('keystore.json'), keychain: 'me' })).rejects.toThrow(
    '--keystore and --keychain both specify an account. Give only one of them.',
  );
});
