import {
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Encoder,
  type KeyPairSigner,
} from '@solana/kit';

/** A private key of Solana: base58, or a list of bytes as solana-keygen writes it. @throws for what is neither */
export async function solanaKey(text: string): Promise<KeyPairSigner> {
  const bytes = text.startsWith('[') ? bytesOf(JSON.parse(text)) : new Uint8Array(getBase58Encoder().encode(text));
  return bytes.length === 32 ? createKeyPairSignerFromPrivateKeyBytes(bytes) : createKeyPairSignerFromBytes(bytes);
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  const isBytes =
    Array.isArray(value) &&
    (value.length === 32 || value.length === 64) &&
    value.every((each) => Number.isInteger(each) && each >= 0 && each <= 255);
  if (!isBytes) throw new Error('No list of 32 or 64 bytes.');
  return Uint8Array.from(value as number[]);
}
