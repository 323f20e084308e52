import { bytesToHex } from '@noble/hashes/utils.js';
import { createStoredValue } from '../../stored-value';

/** Secrets of this browser's demo wallets, 32 bytes in hex. They control sandbox money only. */
export interface DemoKeys {
  evm: `0x${string}`;
  solana: `0x${string}`;
}

const demoKeyStore = createStoredValue<DemoKeys | null>({
  key: 'turnpike.demo-wallets',
  initial: null,
  parse: parseDemoKeys,
});

/** Returns the demo wallets' secrets. Creates and stores them on first use. */
export function demoKeys(): DemoKeys {
  const kept = demoKeyStore.get();
  if (kept !== null) return kept;
  // 32 random bytes exceed the order of secp256k1 with probability 2^-128.
  const made = { evm: randomSecret(), solana: randomSecret() };
  demoKeyStore.set(made);
  return made;
}

export function parseDemoKeys(stored: unknown): DemoKeys | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { evm, solana } = stored as Partial<Record<keyof DemoKeys, unknown>>;
  return isSecret(evm) && isSecret(solana) ? { evm, solana } : null;
}

function randomSecret(): `0x${string}` {
  return `0x${bytesToHex(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function isSecret(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);
}
