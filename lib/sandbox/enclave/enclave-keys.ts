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

export interface EnclaveKeys {
  platform: PlatformKeys;
  /** Secp256k1 secret for signing and decryption, 32 bytes. */
  signingSecret: Uint8Array;
}

const FILE = 'enclave-keys.json';

export function generateEnclaveKeys(nowMs: number): EnclaveKeys {
  return { platform: generatePlatformKeys(nowMs), signingSecret: generateE2eeKeyPair().secretKey };
}

/**
 * Returns the keys in a folder. The first call creates the key file atomically, readable by its owner only. An existing
 * file is never replaced, because a gateway may be configured with the file's root certificate.
 *
 * @throws {Error} if the file cannot be read
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
