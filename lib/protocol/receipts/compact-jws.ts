import { ed25519 } from '@noble/curves/ed25519.js';
import { canonicalJson } from '../canonical-json';
import { ed25519Fault } from '../ed25519-encoding';
import { type ReceiptKey, RECEIPT_LENGTH_MAX, RECEIPT_TYPE } from './receipt';

/** Decoded but unverified JWS. */
interface CompactJws {
  kid: string;
  payload: unknown;
  signed: Uint8Array;
  signature: Uint8Array;
}

const BASE64URL = /^[\w-]+$/;
const HEADER_MEMBERS = ['alg', 'kid', 'typ'];

/** Returns the text to sign: header and payload of a receipt, or of another JWS type (`typ`). */
export function signingInput(kid: string, payload: unknown, typ: string = RECEIPT_TYPE): string {
  return [{ alg: 'EdDSA', kid, typ }, payload].map((part) => encoded(canonicalJson(part))).join('.');
}

/**
 * Decodes a JWS. Accepts only the format of receipts.
 *
 * @returns the JWS, or a sentence about its fault
 */
export function readCompactJws(text: string, type: string = RECEIPT_TYPE): CompactJws | string {
  if (text.length > RECEIPT_LENGTH_MAX) return 'The receipt is too long.';
  const parts = text.split('.');
  const [head, body, proof] = parts.map(decoded);
  if (parts.length !== 3 || !head || !body || !proof) return 'The receipt is not a JWS in compact form.';
  const [header, payload] = [canonicalOf(head), canonicalOf(body)];
  if (header === undefined || payload === undefined) return 'Header or payload of the receipt is not canonical JSON.';
  if (typeof header !== 'object' || header === null || Object.keys(header).sort().join() !== HEADER_MEMBERS.join())
    return 'The header of the receipt must have exactly the members alg, kid and typ.';
  const { alg, kid, typ } = header as Record<string, unknown>;
  if (alg !== 'EdDSA') return 'The receipt is not signed with EdDSA.';
  if (typ !== type || typeof kid !== 'string') return `The type of the receipt is not ${type}.`;
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf('.')));
  return { kid, payload, signed, signature: proof };
}

export function isSignedBy({ signed, signature }: CompactJws, { x }: ReceiptKey): boolean {
  const key = decoded(x);
  if (key === null || ed25519Fault(key, signature) !== null) return false;
  try {
    return ed25519.verify(signature, signed, key, { zip215: false });
  } catch {
    return false;
  }
}

function encoded(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Decodes base64url; null if not canonical. */
function decoded(text: string): Uint8Array | null {
  if (!BASE64URL.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const again = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return again === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
}

/** Parses only canonical JSON, because parsers disagree about repeated members. */
function canonicalOf(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
