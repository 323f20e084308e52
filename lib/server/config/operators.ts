import { z } from 'zod';
import { walletKey } from '@/lib/protocol/wallet-address';
import { walletAddress } from './addresses';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { Secret } from './secret';

const WALLETS_MAX = 64;
const KEY_LENGTH_MIN = 32;
const KEY_LENGTH_MAX = 512;

/** Wallets whose sign-in opens the operator's page. */
export const operatorsSchema = z.array(walletAddress).max(WALLETS_MAX).superRefine(refuseTwins).default([]);

/** Who is an operator: whoever signs in with one of these wallets, or presents the key. */
export interface OperatorsConfig {
  /** In the form that `walletKey` gives. */
  wallets: ReadonlySet<string>;
  key: Secret | null;
}

/** The operators of the file, and the key that TURNPIKE_OPERATOR_KEY gives. */
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

/** It is sent as a Bearer token, and is typed into browsers, where the secret that signs has no business. */
function keyFault(key: string, secret: string | undefined): string | null {
  if (key.length < KEY_LENGTH_MIN || key.length > KEY_LENGTH_MAX)
    return `expected ${KEY_LENGTH_MIN} to ${KEY_LENGTH_MAX} characters, got ${key.length}`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'expected visible ASCII characters without blanks, since it is sent in a header';
  return key === secret
    ? 'is the same as TURNPIKE_SECRET, which signs: make another one, such as by openssl rand -hex 32'
    : null;
}

function refuseTwins(addresses: readonly string[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  addresses.forEach((address, index) => {
    const key = walletKey(address)?.key ?? address;
    if (seen.has(key)) context.addIssue({ code: 'custom', path: [index], message: 'Stands here twice' });
    seen.add(key);
  });
}
