import { decryptKeystoreJson, isKeystoreJson } from 'ethers';
import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export type KeystoreRefusal = 'not-a-keystore' | 'wrong-password';

/**
 * Decrypts a keystore of version 3 (Web3 Secret Storage), which takes seconds by design.
 *
 * @returns keystore's wallet, or the reason why the keystore cannot be opened
 */
export async function openKeystore(json: string, password: string): Promise<PrivateKeyAccount | KeystoreRefusal> {
  if (!isKeystoreJson(json)) return 'not-a-keystore';
  try {
    const { privateKey } = await decryptKeystoreJson(json, password);
    return privateKeyToAccount(privateKey as `0x${string}`);
  } catch (error) {
    return (error as { argument?: unknown }).argument === 'password' ? 'wrong-password' : 'not-a-keystore';
  }
}
