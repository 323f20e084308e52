import type { z } from 'zod';

/** What the API description says of one verb of an endpoint, in terms of the schemas that the endpoint uses. */
export interface Operation {
  id: string;
  summary: string;
  description: string;
  /** Credentials that are accepted; none where the endpoint is public. */
  credentials: readonly ('apiKey' | 'signInWithX')[];
  parameters?: readonly Parameter[];
  body?: { schema: z.ZodType; examples?: Readonly<Record<string, unknown>> };
  responses: Readonly<Record<number, Response>>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: z.ZodType;
}

interface Response {
  description: string;
  schema?: z.ZodType;
  /** Of a body that is no JSON. */
  mediaTypes?: readonly string[];
  /** Response headers beside X-Request-ID, which every answer has. */
  headers?: Readonly<Record<string, string>>;
}
