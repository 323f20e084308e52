import { createHmac } from 'node:crypto';
import { mintTokenAudience, TERMS_DIGEST_NAME } from '@/lib/protocol/api-keys/mint-token';
import { DEFAULT_BRAND } from '@/lib/protocol/brand';
import { TRAP } from './hostile-values';

const CLAIMS = { iss: DEFAULT_BRAND.slug, aud: mintTokenAudience(DEFAULT_BRAND.slug) };
export const termsClaim = (query: URLSearchParams): Record<string, unknown> =>
  query.has(TERMS_DIGEST_NAME) ? { [TERMS_DIGEST_NAME]: query.get(TERMS_DIGEST_NAME) } : {};

/**
 * Kinds of text that a gateway may send in place of its token. A client must not sign them, because the signature would
 * be worth something elsewhere.
 */
export const TOKEN_FORMS = [
  'of-another-origin',
  'of-another-gateway',
  'sign-in',
  'text',
  'other-audience',
  'other-issuer',
  'no-claims',
  'expired',
  'years',
  'other-terms',
  'hex',
  'not-jwt',
  'with-lines',
] as const;

/** Makes a validation token like a gateway's. */
export function mintToken(claims: Record<string, unknown> = {}): string {
  const now = Math.floor(Date.now() / 1_000);
  const [head, body] = [
    { alg: 'HS256', typ: 'JWT' },
    { ...CLAIMS, iat: now, exp: now + 900, jti: '0c63a2a6-6fbb-4f5c-8a0a-4ed7a2f0a6b1', ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${head}.${body}.${createHmac('sha256', 'a secret of the lying gateway').update(`${head}.${body}`).digest('base64url')}`;
}

export function falseToken(form: unknown, origin: string, query: URLSearchParams): string {
  const terms = termsClaim(query);
  const now = Math.floor(Date.now() / 1_000);
  switch (form as (typeof TOKEN_FORMS)[number]) {
    case 'of-another-origin':
      return mintToken({ ...terms, origin: 'https://bank.example' });
    case 'of-another-gateway':
      return mintToken({ ...terms, origin: TRAP });
    case 'sign-in':
      return `bank.example wants you to sign in with your Ethereum account:\n0x0000000000000000000000000000000000000001\n\nSign in\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: ${new Date().toISOString()}`;
    case 'text':
      return 'I owe the bearer 1,000,000 USD.';
    case 'other-audience':
      return mintToken({ ...terms, origin, aud: 'turnpike:withdraw' });
    case 'other-issuer':
      return mintToken({ ...terms, origin, iss: 'bank' });
    case 'no-claims':
      return `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.x`;
    case 'expired':
      return mintToken({ ...terms, origin, iat: now - 9_000, exp: now - 8_000 });
    case 'years':
      return mintToken({ ...terms, origin, exp: now + 1e9 });
    case 'other-terms':
      return mintToken({ origin, [TERMS_DIGEST_NAME]: 'ab'.repeat(32) });
    case 'hex':
      return `0x${'ab'.repeat(32)}`;
    case 'with-lines':
      return `${mintToken({ ...terms, origin })}\nand all my money`;
    default:
      return 'a.b.c';
  }
}
