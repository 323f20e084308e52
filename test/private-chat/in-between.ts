import { encryptContent } from '@/lib/protocol/e2ee/codec';
import { parseClientPublicKey } from '@/lib/protocol/e2ee/public-key';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { PassedAnswer, SeenRequest } from './enclave-gateway';

/**
 * Attacks by an intermediary between client and enclave. Each alters the stream of a chat and relays all other answers
 * unchanged.
 */
export const altering =
  (alter: (stream: string, request: SeenRequest) => string) =>
  (answer: PassedAnswer, request: SeenRequest): PassedAnswer =>
    request.path === '/api/v1/chat/completions'
      ? { ...answer, body: Buffer.from(alter(answer.body.toString(), request)) }
      : answer;

/** Matches encrypted content of any scheme. The shortest, of ed25519, has 72 bytes. */
const CONTENT = /"content":"([0-9a-f]{144,})"/g;

/** Replaces encrypted contents in a stream. */
export function withContents(stream: string, change: (content: string, index: number) => string): string {
  let index = 0;
  return stream.replace(CONTENT, (_, content: string) => `"content":${JSON.stringify(change(content, index++))}`);
}

/** Encrypts other content to the client, as anyone who sees its public key can. */
export function forgedContent(text: string, { headers }: SeenRequest): string {
  return encryptContent(text, parseClientPublicKey(String(headers['x-service-tee-client-pub-key'])));
}

/** Flips one bit of hexadecimal text, by default in the ciphertext. */
export function flipped(content: string, at = content.length - 40): string {
  return content.slice(0, at) + (Number.parseInt(content[at] as string, 16) ^ 1).toString(16) + content.slice(at + 1);
}

/** Returns the second valid form of a signature, which anyone can compute: n - s with the other v. */
export function withHighS(signature: string): string {
  const bytes = hexToBytes(signature.slice(2));
  const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${bytesToHex(bytes.subarray(32, 64))}`);
  return `0x${bytesToHex(bytes.subarray(0, 32))}${s.toString(16).padStart(64, '0')}${(bytes[64] === 27 ? 28 : 27).toString(16)}`;
}

/** Alters the enclave's signature and relays all other answers unchanged. */
export const resigning =
  (alter: (signed: { text: string; signature: string }) => object) =>
  (answer: PassedAnswer, request: SeenRequest): PassedAnswer => {
    if (!request.path.startsWith('/api/v1/tee/signature') || answer.status !== 200) return answer;
    return {
      ...answer,
      body: Buffer.from(
        JSON.stringify(alter(JSON.parse(answer.body.toString()) as { text: string; signature: string })),
      ),
    };
  };
