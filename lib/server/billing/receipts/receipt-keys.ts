import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import { signingInput } from '@/lib/protocol/receipts/compact-jws';
import { type ReceiptKey, receiptKeySchema } from '@/lib/protocol/receipts/receipt';
import type { Secret } from '../../config/secret';
import type { Database } from '../../db/schema';

const KEY_PURPOSE = 'turnpike receipt Ed25519';
const SEED_BYTES = 32;
/** DER bytes before the seed in a PKCS #8 Ed25519 private key (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const FACT = 'receipt-key:';
const KEYS_MAX = 100;

/**
 * Signs receipts and the log of measurements with a key derived from the operator's secret (HKDF, RFC 5869). The
 * database keeps earlier public keys, so that old receipts can still be checked.
 */
export class ReceiptKeys {
  private constructor(
    private readonly key: KeyObject,
    readonly current: ReceiptKey,
    /** Public keys, the current one first. */
    readonly keys: readonly ReceiptKey[],
  ) {}

  /** Derives the key and records its public half. @param secret null for a random key */
  static async open(db: Database, secret: Secret | null): Promise<ReceiptKeys> {
    const material = secret?.reveal() ?? randomBytes(SEED_BYTES);
    const seed = Buffer.from(hkdfSync('sha256', material, '', KEY_PURPOSE, SEED_BYTES));
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const current = publicKeyOf(key);
    const rows = await db
      .selectFrom('installation')
      .select('value')
      .where('name', 'like', `${FACT}%`)
      .orderBy('name')
      .limit(KEYS_MAX)
      .execute();
    const known = rows.map(({ value }) => receiptKeySchema.parse(JSON.parse(value)));
    // Writes nothing if the key is already recorded, because a gateway must be able to start with a full disk.
    if (!known.some(({ kid }) => kid === current.kid))
      await db
        .insertInto('installation')
        .values({ name: FACT + current.kid, value: JSON.stringify(current) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    const earlier = known.filter(({ kid }) => kid !== current.kid);
    return new ReceiptKeys(key, current, [current, ...earlier].slice(0, KEYS_MAX));
  }

  /** Returns the payload as a JWS in compact form (RFC 7515). */
  sign(payload: unknown, type?: string): string {
    const input = signingInput(this.current.kid, payload, type);
    return `${input}.${sign(null, Buffer.from(input), this.key).toString('base64url')}`;
  }
}

function publicKeyOf(key: KeyObject): ReceiptKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...jwk, kid: createHash('sha256').update(canonicalJson(jwk)).digest('base64url') };
}
