import { z } from 'zod';
import { walletKey } from '@/lib/protocol/wallet-address';
import { walletAddress } from './addresses';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { Secret } from './secret';

const WALLETS_MAX = 64;
const KEY_LENGTH_MIN = 32;
const KEY_LENGTH_MAX = 512;

/** Wallets that may sign in to the operator's page. */
export const operatorsSchema = z.array(walletAddress).max(WALLETS_MAX).superRefine(refuseTwins).default([]);

export interface OperatorsConfig {
  /** Addresses normalized by `walletKey`. */
  wallets: ReadonlySet<string>;
  key: Secret | null;
}

/** Returns the operators: wallets from the configuration file, and the key in TURNPIKE_OPERATOR_KEY. */
export function operatorsOf(
  addresses: readonly string[],
  { TURNPIKE_OPERATOR_KEY: key, TURNPIKE_SECRET: secret }: Environment,
  faults: Faults,
): OperatorsConfig {
  const fault = key ? keyFault(key, secret) : null;
  if (fault !== null) faults.set('TURNPIKE_OPERATOR_KEY', fault);
  return {
    wallets: new Set(addresses.flatMap((address) => walletKey(address)?.key ?? [])),
    key: key ? new Secret(key) : null,
  };
}

/** Operators type this key into browsers, so it must differ from TURNPIKE_SECRET. */
function keyFault(key: string, secret: string | undefined): string | null {
  if (key.length < KEY_LENGTH_MIN || key.length > KEY_LENGTH_MAX)
    return `expected ${KEY_LENGTH_MIN} to ${KEY_LENGTH_MAX} characters, got ${key.length}`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'expected visible ASCII characters without spaces, because the key is sent in a header';
  return key === secret
    ? 'is the same as TURNPIKE_SECRET, which must stay secret: create another key, for example with openssl rand -hex 32'
    : null;
}

function refuseTwins(addresses: readonly string[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  addresses.forEach((address, index) => {
    const key = walletKey(address)?.key ?? address;
    if (seen.has(key)) context.addIssue({ code: 'custom', path: [index], message: 'Is listed twice' });
    seen.add(key);
  });
}
