import { parseAttestationNonce } from '@/lib/protocol/e2ee/nonce';
import { Refusal } from '../http/refusal';

/** Parses the nonce of a report request: 32 bytes. @throws {Refusal} 400 */
export function nonceOf(text: string): Uint8Array {
  try {
    return parseAttestationNonce(text);
  } catch (error) {
    throw new Refusal(400, 'NONCE_LENGTH', (error as Error).message);
  }
}
