import { createCipheriv, createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Independent implementation of the codec on node:crypto, written from the specification. It shares no code with the
 * tested codec.
 */
export function nodeEncrypt(text: string | Uint8Array, publicKeyHex: string): string {
  const ephemeral = createECDH('secp256k1');
  ephemeral.generateKeys();
  const key = deriveKey(ephemeral.computeSecret(Buffer.from(publicKeyHex, 'hex')));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(Buffer.from(text as string)), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([ephemeral.getPublicKey(), nonce, sealed]).toString('hex');
}

/** Decrypts content. Throws for a wrong tag. */
export function nodeDecrypt(content: string, secretKeyHex: string): string {
  const bytes = Buffer.from(content, 'hex');
  const mine = createECDH('secp256k1');
  mine.setPrivateKey(Buffer.from(secretKeyHex, 'hex'));
  const key = deriveKey(mine.computeSecret(bytes.subarray(0, 65)));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(65, 77));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(77, -16)), decipher.final()]).toString('utf8');
}

function deriveKey(x: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', x, Buffer.alloc(0), 'ecdsa_encryption', 32));
}
