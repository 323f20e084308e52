import {
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Encoder,
  type KeyPairSigner,
} from '@solana/kit';

/** Parses a Solana private key: base58, or solana-keygen's list of bytes. @throws for any other text */
export async function solanaKey(text: string): Promise<KeyPairSigner> {
  const bytes = text.startsWith('[') ? bytesOf(JSON.parse(text)) : new Uint8Array(getBase58Encoder().encode(text));
  return bytes.length === 32 ? createKeyPairSignerFromPrivateKeyBytes(bytes) : createKeyPairSignerFromBytes(bytes);
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  const isBytes =
    Array.isArray(value) &&
    (value.length === 32 || value.length === 64) &&
    value.every((each) => Number.isInteger(each) && each >= 0 && each <= 255);
  if (!isBytes) throw new Error('The key is not a list of 32 or 64 bytes.');
  return Uint8Array.from(value as number[]);
}
