import { decryptKeystoreJson, isKeystoreJson } from 'ethers';
import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Why a keystore does not open. */
export type KeystoreRefusal = 'not-a-keystore' | 'wrong-password';

/** Opens a keystore of version 3 (Web3 Secret Storage): seconds of work, as its author chose. @returns the wallet in it, or why there is none */
export async function openKeystore(json: string, password: string): Promise<PrivateKeyAccount | KeystoreRefusal> {
  if (!isKeystoreJson(json)) return 'not-a-keystore';
  try {
    const { privateKey } = await decryptKeystoreJson(json, password);
    return privateKeyToAccount(privateKey as `0x${string}`);
  } catch (error) {
    return (error as { argument?: unknown }).argument === 'password' ? 'wrong-password' : 'not-a-keystore';
  }
}
