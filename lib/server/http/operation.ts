import type { ErrorCode } from '@/lib/protocol/errors';
import type { ErrorForm } from '@/lib/protocol/translation/error-forms';
import type { z } from 'zod';

/** The groups of the API description, in its order. */
export type Tag =
  | 'RPC'
  | 'Chat'
  | 'Speech'
  | 'Video'
  | 'Models'
  | 'Attestation'
  | 'API keys'
  | 'Billing'
  | 'Prepaid balance';

/** What the API description says of one verb of an endpoint, in terms of the schemas that the endpoint uses. */
export interface Operation {
  id: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Credentials that are accepted; none where the endpoint is public. */
  credentials: readonly ('apiKey' | 'signInWithX')[];
  /** In which errors are told; the gateway's own unless given. */
  errorForm?: ErrorForm;
  /** What is sold here, where a payment may come with the call (x402). Catalogues of paid endpoints are made from it. */
  sale?: Sale;
  parameters?: readonly Parameter[];
  body?: { schema: z.ZodType; examples: Readonly<Record<string, unknown>> };
  responses: Readonly<Record<number, Response>>;
}

/** What is said of a paid endpoint where whoever pays looks: in its 402, in catalogues, in llms.txt. */
export interface Sale {
  /** Media type of what is bought. */
  mediaType: string;
  /** Words by which it is found: at most five, in ASCII, of 32 characters (x402, "bazaar"). */
  keywords: readonly string[];
  /** How the price comes about, in a sentence. */
  price: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: z.ZodType;
  /** One that works, where the name does not say what it looks like. */
  example?: unknown;
}

export interface Response {
  description: string;
  /** Of a JSON body. */
  schema?: z.ZodType;
  /** JSON bodies as they really come, by name. */
  examples?: Readonly<Record<string, unknown>>;
  /** Errors of the one table that come under this status: their bodies are examples too. */
  codes?: readonly ErrorCode[];
  /** Bodies that are no JSON, beside the JSON body where there is one. */
  media?: readonly Media[];
  /** Response headers beside X-Request-ID, which every answer has. */
  headers?: Readonly<Record<string, string>>;
}

/** A body that is no JSON. */
export interface Media {
  type: string;
  /** Of one that is text; others are bytes. */
  example?: string;
}
