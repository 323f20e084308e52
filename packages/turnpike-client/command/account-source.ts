import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TurnpikeAccount } from '../src/account/account';
import type { CommandIo } from './command';
import { readText } from './files';
import { UsageError } from '@/lib/command-line/usage-error';

const KEYCHAIN_TIMEOUT_MS = 60_000;
const FILE_BYTES_MAX = 65_536;

/** Options that specify where to read the account's secret. No option contains the secret itself. */
export const ACCOUNT_OPTIONS = {
  keystore: { type: 'string' },
  'password-file': { type: 'string' },
  'solana-keypair': { type: 'string' },
  keychain: { type: 'string' },
} as const;

export const ACCOUNT_HELP = `  --keystore FILE        an Ethereum keystore (Web3 Secret Storage, version 3); its password
                         is asked for, or read from --password-file FILE or
                         TURNPIKE_KEYSTORE_PASSWORD
  --solana-keypair FILE  a key pair file of solana-keygen
  --keychain NAME        a private key or an API key from the system's keychain, under the
                         service "turnpike" and this account name
                         Without these: TURNPIKE_API_KEY or TURNPIKE_PRIVATE_KEY in the environment
                         (hexadecimal for EVM; base58 or a list of bytes for Solana).`;

export interface AccountPlaces {
  keystore?: string;
  'password-file'?: string;
  'solana-keypair'?: string;
  keychain?: string;
}

const SOURCES = ['keystore', 'solana-keypair', 'keychain'] as const;

export function isAccountNamed(places: AccountPlaces, { env }: Pick<CommandIo, 'env'>): boolean {
  return (
    SOURCES.some((name) => places[name] !== undefined) ||
    [env['TURNPIKE_API_KEY'], env['TURNPIKE_PRIVATE_KEY']].some(Boolean)
  );
}

/**
 * Reads the account from the command line or the environment.
 * @throws {UsageError} for no source, several sources or an invalid key; messages never contain secrets
 */
export async function readAccountSource(places: AccountPlaces, io: CommandIo): Promise<TurnpikeAccount> {
  const named = SOURCES.filter((name) => places[name] !== undefined);
  if (named.length > 1)
    throw new UsageError(`--${named.join(' and --')} both specify an account. Give only one of them.`);
  if (places['password-file'] !== undefined && places.keystore === undefined)
    throw new UsageError('--password-file needs --keystore, which is missing.');
  if (places.keystore !== undefined) return fromKeystore(places.keystore, places['password-file'], io);
  if (places['solana-keypair'] !== undefined)
    return accountOf(readText(places['solana-keypair'], FILE_BYTES_MAX), places['solana-keypair']);
  if (places.keychain !== undefined)
    return accountOf(await fromKeychain(places.keychain, io), `the keychain's "${places.keychain}"`);
  return fromEnvironment(io.env);
}

async function fromEnvironment(env: CommandIo['env']): Promise<TurnpikeAccount> {
  const { TURNPIKE_API_KEY: apiKey, TURNPIKE_PRIVATE_KEY: privateKey } = env;
  if (apiKey && privateKey)
    throw new UsageError('TURNPIKE_API_KEY and TURNPIKE_PRIVATE_KEY are both set. Unset one of them.');
  if (privateKey) return walletOf(privateKey.trim(), 'TURNPIKE_PRIVATE_KEY');
  if (apiKey) return apiKey.trim();
  throw new UsageError(
    'No account is set. Set TURNPIKE_API_KEY or TURNPIKE_PRIVATE_KEY, or give --keystore, --solana-keypair or --keychain.',
  );
}

async function accountOf(secret: string, place: string): Promise<TurnpikeAccount> {
  const text = secret.trim();
  return isPrivateKey(text)
    ? walletOf(text, place)
    : /^[\x21-\x7e]{8,1024}$/.test(text) && !text.startsWith('[')
      ? text
      : unreadable(place);
}

const EVM_KEY = /^(0x)?[0-9a-f]{64}$/i;
const isPrivateKey = (text: string): boolean =>
  EVM_KEY.test(text) || text.startsWith('[') || /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text);

function walletOf(secret: string, place: string): Promise<TurnpikeAccount> {
  return checked(place, async () =>
    EVM_KEY.test(secret)
      ? (await import('./evm-key')).evmKey(secret)
      : (await import('./solana-key')).solanaKey(secret),
  );
}

async function fromKeystore(file: string, passwordFile: string | undefined, io: CommandIo): Promise<TurnpikeAccount> {
  const json = readText(file, FILE_BYTES_MAX);
  const password =
    passwordFile === undefined
      ? await askPassword(file, io)
      : readText(passwordFile, FILE_BYTES_MAX).replace(/\r?\n$/, '');
  const { openKeystore } = await import('./opened-keystore');
  const opened = await openKeystore(json, password);
  if (opened === 'not-a-keystore') throw new UsageError(`${file} is not an Ethereum keystore of version 3.`);
  if (opened === 'wrong-password') throw new UsageError(`${file} cannot be opened with this password.`);
  return opened;
}

async function askPassword(file: string, { env, askSecret }: CommandIo): Promise<string> {
  const { TURNPIKE_KEYSTORE_PASSWORD: password } = env;
  if (password !== undefined) return password;
  if (askSecret === null)
    throw new UsageError(`${file} needs its password: give --password-file, or set TURNPIKE_KEYSTORE_PASSWORD.`);
  return askSecret(`Password of ${file}: `);
}

async function fromKeychain(account: string, { env }: CommandIo): Promise<string> {
  const [program, args] =
    process.platform === 'darwin'
      ? (['security', ['find-generic-password', '-s', 'turnpike', '-a', account, '-w']] as const)
      : (['secret-tool', ['lookup', 'service', 'turnpike', 'account', account]] as const);
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      env: env as NodeJS.ProcessEnv,
      timeout: KEYCHAIN_TIMEOUT_MS,
    });
    if (stdout.trim() !== '') return stdout;
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT')
      throw new UsageError(
        `The keychain needs the program ${program}, which is not installed. Use --keystore, or environment variables.`,
      );
    if (stderr?.trim() && process.platform !== 'darwin')
      throw new UsageError(`The keychain cannot be read: ${stderr.trim()}`);
  }
  throw new UsageError(
    `The keychain has nothing under the service "turnpike" and the account ${JSON.stringify(account)}.`,
  );
}

async function checked(place: string, make: () => Promise<TurnpikeAccount>): Promise<TurnpikeAccount> {
  try {
    return await make();
  } catch {
    return unreadable(place);
  }
}

function unreadable(place: string): never {
  throw new UsageError(
    `The content of ${place} is not a private key${place === 'TURNPIKE_PRIVATE_KEY' ? '' : ' or an API key'}.`,
  );
}
