import { z } from 'zod';

export const RECEIPT_TYPE = 'turnpike-receipt+jws';
/** Network name (in CAIP-2 form) in receipts for requests paid from a balance. */
export const LEDGER_NETWORK = 'turnpike:ledger';
export const RECEIPT_HEADER = 'x-receipt';
export const RECEIPT_LENGTH_MAX = 65_536;
const ITEMS_MAX = 100;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** Unix seconds that a Date can hold. */
export const unixSeconds = count.max(8_640_000_000_000);
const name = z.string().min(1).max(500);
const nanoUsd = count.describe('Billionths of a US dollar');

const number = z.string().regex(/^(0x[0-9a-f]+|\d+)$/);
const hash = z.string().regex(/^0x[0-9a-f]{1,64}$/);
const blockSchema = z.strictObject({ number, hash: hash.optional() });
const askedBlockSchema = z.union([
  z.strictObject({ number }),
  z.strictObject({ hash }),
  z.strictObject({ tag: z.string().regex(/^[a-z][a-z0-9_]{0,19}$/) }),
]);
const blocks = {
  block: blockSchema.optional().describe('Block that the answer names'),
  askedBlock: askedBlockSchema.optional().describe('Block that the request names, if the answer names none'),
};

const enclaveProofSchema = z.strictObject({
  signature: z
    .strictObject({
      text: z.string().max(2_000),
      signature: z.string().max(1_000),
      signingAddress: z.string().max(200),
      algorithm: z.enum(['ecdsa', 'ed25519']),
    })
    .optional(),
  report: z
    .strictObject({
      sha256: sha256.describe('Of a report that the gateway verified, as canonical JSON (RFC 8785)'),
      url: z.url().max(2_000).describe('Address of the report'),
      fetchedAt: unixSeconds.describe('Unix seconds'),
      family: z.string().max(100).nullable(),
      verdict: z.enum(['verified', 'unknown-workload', 'simulated', 'failed', 'not-checkable']),
      measurements: z.array(z.record(z.string(), z.string().nullable())).max(16),
      bindsAnswer: z.boolean().describe('True if the key in the report signed the answer'),
    })
    .optional(),
});

/**
 * Payload of a receipt, version 1 (docs/receipts.md). The first six members are those of x402's extension
 * "offer-receipt".
 */
export const receiptSchema = z
  .strictObject({
    version: z.literal(1),
    network: z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/),
    resourceUrl: z.url().max(2_000),
    payer: name.describe('Address of a wallet, or key: and a hash that the holder of the API key can compute'),
    issuedAt: unixSeconds.describe('When the answer ended, in Unix seconds'),
    transaction: name.optional(),
    issuer: z.url().max(500).describe('Origin of the gateway'),
    requestId: z.string().regex(/^[0-9a-f]{32}$/),
    offer: z.strictObject({
      maximumNanoUsd: nanoUsd,
      prices: z.record(z.string().max(60), count).optional(),
      payment: z
        .strictObject({ scheme: z.literal('exact'), network: name, asset: name, payTo: name, amount: name })
        .optional(),
    }),
    charge: z.strictObject({
      nanoUsd,
      resource: name,
      detail: z.string().max(500),
      units: count,
      isReplay: z.boolean(),
    }),
    request: z.strictObject({ method: name, sha256, bytes: count }),
    answer: z.strictObject({
      status: z.int(),
      contentType: z.string().max(200),
      sha256,
      bytes: count,
      isComplete: z.boolean(),
    }),
    rpc: z
      .strictObject({
        network: name,
        ...blocks,
        items: z.array(z.strictObject(blocks)).max(ITEMS_MAX).optional().describe('Blocks of a batch, by item'),
        agreement: z.strictObject({ agreeing: count, asked: count }).optional(),
      })
      .optional(),
    model: name.optional(),
    enclave: enclaveProofSchema.optional(),
  })
  .meta({ id: 'Receipt' });

export type Receipt = z.output<typeof receiptSchema>;
export type EnclaveProof = z.output<typeof enclaveProofSchema>;
export type BlockPlace = z.output<typeof blockSchema>;
export type AskedBlock = z.output<typeof askedBlockSchema>;

export const signedReceiptSchema = z
  .object({ format: z.literal('jws'), signature: z.string().max(RECEIPT_LENGTH_MAX) })
  .meta({ id: 'SignedReceipt' });

export const receiptKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  kid: z.string().min(1).max(100),
});
export type ReceiptKey = z.output<typeof receiptKeySchema>;

export const receiptKeysSchema = z.object({ keys: z.array(z.unknown()).max(100) });
