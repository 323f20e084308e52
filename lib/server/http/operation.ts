import type { Sold } from '@/lib/protocol/api-keys/key-scope';
import type { ErrorCode } from '@/lib/protocol/errors';
import type { ErrorForm } from '@/lib/protocol/translation/error-forms';
import type { z } from 'zod';

/** Groups of endpoints in the API description, in display order. */
export type Tag =
  | 'RPC'
  | 'Chat'
  | 'Speech'
  | 'Transcriptions'
  | 'Embeddings'
  | 'Images'
  | 'Video'
  | 'Models'
  | 'Attestation'
  | 'API keys'
  | 'Billing'
  | 'Prepaid balance';

export interface Operation {
  id: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Accepted credentials; empty for a public endpoint. */
  credentials: readonly ('apiKey' | 'signInWithX')[];
  errorForm?: ErrorForm;
  /** Description of the paid service for x402 catalogues. Set only for endpoints whose calls can include a payment. */
  sale?: Sale;
  /** Why the gateway cannot serve the operation. */
  missing?: string;
  parameters?: readonly Parameter[];
  body?: {
    schema: z.ZodType;
    examples: Readonly<Record<string, unknown>>;
    type?: 'multipart/form-data';
  };
  responses: Readonly<Record<number, Response>>;
}

export interface Sale {
  product: Sold;
  mediaType: string;
  /** Search words for the x402 extension "bazaar": at most five words of up to 32 ASCII characters each. */
  keywords: readonly string[];
  price: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: z.ZodType;
  /** A valid example. Needed only if the name does not show the format. */
  example?: unknown;
}

export interface Response {
  description: string;
  schema?: z.ZodType;
  examples?: Readonly<Record<string, unknown>>;
  /** Codes of errors with this status. The description shows their bodies as examples. */
  codes?: readonly ErrorCode[];
  media?: readonly Media[];
  /** Response headers other than X-Request-ID. */
  headers?: Readonly<Record<string, string>>;
}

export interface Media {
  type: string;
  example?: string;
}
