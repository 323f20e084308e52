import { z } from 'zod';
import type { Route } from '../../http/endpoint';
import type { Operation } from '../../http/operation';

/** Date and time of the API's last change (spec, "Versioning"). */
export const API_VERSION = '20261122.074000';

const API_PREFIX = '/api/v1';

type Json = Record<string, unknown>;

export interface DocumentOptions {
  /** What paths are relative to, version prefix included. */
  baseUrl: string;
  /** Decimal string. */
  pricePerCreditUsd: string;
}

/**
 * The OpenAPI 3.1 document of these paths, made from the schemas with which they check requests.
 */
export function openApiDocument(routes: readonly Route[], { baseUrl, pricePerCreditUsd }: DocumentOptions): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const { path, docs } of routes) {
    if (!path.startsWith(API_PREFIX) || !docs) continue;
    const verbs: Json = {};
    for (const [verb, operation] of Object.entries(docs)) verbs[verb.toLowerCase()] = describeOperation(operation, schemas);
    paths[path.slice(API_PREFIX.length)] = verbs;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnpike',
      version: API_VERSION,
      description: 'Blockchain JSON-RPC, private chat, speech and video over HTTP, paid by the call. A wallet is the identity: no account is needed.',
      'x-price-per-credit-usd': pricePerCreditUsd,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An API key. Keys are opaque: nothing parses them.' },
        signInWithX: { type: 'apiKey', in: 'header', name: 'SIGN-IN-WITH-X', description: 'Base64 of JSON that holds a signed sign-in message (EIP-4361; CAIP-122 for Solana): {address, message, signature, timestamp, chainId, type?}, or the fields of the x402 extension sign-in-with-x. May be sent again until the message expires. X-Sign-In-With-X is its legacy name.' },
      },
    },
  };
}

function describeOperation(operation: Operation, schemas: Json): Json {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    security: operation.credentials.map((name) => ({ [name]: [] })),
    ...(operation.parameters
      ? { parameters: operation.parameters.map((parameter) => ({ ...parameter, schema: schemaOf(parameter.schema, schemas) })) }
      : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemaOf(operation.body.schema, schemas),
                ...(operation.body.examples
                  ? { examples: Object.fromEntries(Object.entries(operation.body.examples).map(([name, value]) => [name, { value }])) }
                  : {}),
              },
            },
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, { description, schema, mediaTypes, headers }]) => [
        status,
        {
          description,
          headers: Object.fromEntries(
            Object.entries({ 'X-Request-ID': 'Correlation id, 32 characters', ...headers }).map(([name, text]) => [
              name,
              { description: text, schema: { type: 'string' } },
            ]),
          ),
          ...(schema ? { content: { 'application/json': { schema: schemaOf(schema, schemas) } } } : {}),
          ...(mediaTypes ? { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])) } : {}),
        },
      ]),
    ),
  };
}

/** Schemas that have an id are named once, in the components, and referred to. */
function schemaOf(schema: z.ZodType, schemas: Json): Json {
  const { $defs, $schema: _dialect, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] = withoutId(relocate(definition) as Json);
  const id = z.globalRegistry.get(schema)?.id;
  // A schema with an id may come as a reference to its own definition.
  if (!id || '$ref' in whole) return relocate(whole) as Json;
  schemas[id] = withoutId(relocate(whole) as Json);
  return { $ref: `#/components/schemas/${id}` };
}

function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string' ? [key, item.replace('#/$defs/', '#/components/schemas/')] : [key, relocate(item)],
    ),
  );
}

function withoutId({ id: _id, $id: _$id, ...schema }: Json): Json {
  return schema;
}
