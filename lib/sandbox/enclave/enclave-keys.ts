import fs from 'node:fs';
import path from 'node:path';
import { generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import {
  generatePlatformKeys,
  type PlatformKeys,
  restorePlatformKeys,
  type StoredPlatformKeys,
  storePlatformKeys,
} from './hardware/platform-keys';

/** What a simulated enclave keeps between starts. */
export interface EnclaveKeys {
  platform: PlatformKeys;
  /** The secp256k1 secret with which it signs and decrypts, 32 bytes. */
  signingSecret: Uint8Array;
}

const FILE = 'enclave-keys.json';

/** Makes new keys, of this install alone. */
export function generateEnclaveKeys(nowMs: number): EnclaveKeys {
  return { platform: generatePlatformKeys(nowMs), signingSecret: generateE2eeKeyPair().secretKey };
}

/**
 * The keys in a folder, made at the first call. They are readable by their owner alone, and written in one step.
 *
 * @throws {Error} where the file is there and cannot be read: it is never replaced, since its root may be configured elsewhere
 */
export function openEnclaveKeys(folder: string, nowMs: number): EnclaveKeys {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file)) writeOnce(folder, file, generateEnclaveKeys(nowMs));
  const { platform, signingSecret } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    platform: StoredPlatformKeys;
    signingSecret: string;
  };
  return { platform: restorePlatformKeys(platform), signingSecret: Buffer.from(signingSecret, 'hex') };
}

/** Where two processes are first at once, one file stands. */
function writeOnce(folder: string, file: string, { platform, signingSecret }: EnclaveKeys): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.new`;
  fs.writeFileSync(
    fresh,
    JSON.stringify(
      { platform: storePlatformKeys(platform), signingSecret: Buffer.from(signingSecret).toString('hex') },
      null,
      2,
    ),
    { mode: 0o600 },
  );
  try {
    fs.linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(fresh);
  }
}
