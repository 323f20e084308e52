import { type Brand, DEFAULT_BRAND } from '@/lib/protocol/brand';
import { apiError, type ErrorCode } from '@/lib/protocol/errors';
import type { ErrorForm } from '@/lib/protocol/translation/error-forms';
import type { Route } from '../../http/endpoint';
import { errorReply } from '../../http/error-reply';
import type { Media, Operation, Response, Tag } from '../../http/operation';
import { offerOf } from '../discovery/sold-endpoints';
import { type Json, jsonSchemaOf } from './json-schema';
import { paymentInfo, paymentParameters, RECEIPT_HEADER, RECEIPT_PARAMETER, SIGNED_RECEIPT_HEADER } from './paid-calls';

/** Descriptions of the API's groups, in order. */
export const TAGS: Readonly<Record<Tag, string>> = {
  RPC: 'Blockchain JSON-RPC, charged by the call.',
  Chat: 'Chats in the form of the OpenAI API, plain or end-to-end encrypted to an attested enclave.',
  Speech: 'Text to audio.',
  Transcriptions: 'Audio to text.',
  Embeddings: 'Text to vectors, for finding similar texts.',
  Images: 'Text to pictures.',
  Video: 'Text to video, queued and fetched later.',
  Models: 'Models with capabilities and prices.',
  Attestation: 'Proof of the enclaves in which private models run.',
  'API keys': 'Keys that a wallet with a stake mints, lists and revokes.',
  Billing: 'Balances and charges of a caller.',
  'Prepaid balance': 'USDC that a wallet pays in over x402 and spends call by call.',
};

/** Marks a scheme as a wallet signature. Without this mark, catalogues assume a key that must be bought. */
const BY_WALLET = { 'x-agentcash-auth-kind': 'siwx' } as const;

/**
 * A caller needs one of these credentials. The scheme for API keys is not named `apiKey`, because some clients would
 * then assume that a paid endpoint needs a key in addition to a payment.
 */
const SECURITY_SCHEMES = {
  bearerKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An API key, which is an opaque string.',
  },
  signInWithX: {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    description:
      'Base64 of JSON that holds a signed sign-in message (EIP-4361; CAIP-122 for Solana): {address, message, signature, timestamp, chainId, type?}, or the fields of the x402 extension sign-in-with-x. The header can be sent again until the message expires. Its legacy name is X-Sign-In-With-X.',
    ...BY_WALLET,
  },
  payment: {
    type: 'apiKey',
    in: 'header',
    name: 'PAYMENT-SIGNATURE',
    description:
      'Base64 of an x402 payment for one of the "accepts" in the 402 of the same request. It pays for this request once, and the unused part is credited to the wallet that signed it. X-PAYMENT is the x402 v1 name.',
    ...BY_WALLET,
  },
} as const;

const SCHEME_OF = { apiKey: 'bearerKey', signInWithX: 'signInWithX' } as const;

/** Date and time of the API's last change (spec, "Versioning"). */
const API_VERSION = '20261124.023000';

const API_PREFIX = '/api/v1';

export interface DocumentOptions {
  origin: string;
  /** Paths are relative to the API's base URL, or, for catalogues of paid endpoints, to the origin. */
  relativeTo: 'api' | 'origin';
  pricePerCreditUsd: string;
  networks: readonly string[];
  /** Minimum payment that a call may carry, in USD; null if calls are paid only from a balance. */
  perCallMinimumUsd: string | null;
  brand?: Pick<Brand, 'name' | 'slug' | 'links'>;
}

/** Builds the OpenAPI 3.1 document from the schemas that check requests. */
export function openApiDocument(routes: readonly Route[], options: DocumentOptions): Json {
  const { origin, relativeTo, pricePerCreditUsd, brand = DEFAULT_BRAND } = options;
  const offer = offerOf(routes);
  const { terms, support } = brand.links;
  const contactUrl = support ?? origin;
  const components: Components = { schemas: {}, examples: {} };
  const paths: Record<string, Json> = {};
  for (const { path, docs } of routes) {
    if (!path.startsWith(API_PREFIX) || !docs) continue;
    const verbs: Json = {};
    for (const [verb, operation] of Object.entries(docs))
      verbs[verb.toLowerCase()] = describeOperation(operation, components, options);
    paths[relativeTo === 'api' ? path.slice(API_PREFIX.length) : path] = verbs;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: brand.name,
      version: API_VERSION,
      summary: `${offer}, paid by the call.`,
      description: `${offer} over HTTP, paid by the call. A wallet is the identity: no account is needed.`,
      'x-price-per-credit-usd': pricePerCreditUsd,
      'x-guidance': GUIDANCE,
      ...(terms !== undefined && { termsOfService: terms }),
      contact: { name: brand.name, ...(contactUrl === '' ? {} : { url: contactUrl }) },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: relativeTo === 'api' ? `${origin}${API_PREFIX}` : origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    'x-service-info': {
      categories: ['blockchain', 'ai', 'media'],
      docs: { homepage: `${origin}/`, apiReference: `${origin}/reference`, llms: `${origin}/llms.txt` },
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${origin}/llms.txt` },
    paths,
    components: { ...components, securitySchemes: SECURITY_SCHEMES },
  };
}

const GUIDANCE =
  'Send the request without a credential: the 402 states the most that it can cost. Sign one of its "accepts" (x402, USDC) and send the same request again with the payment in PAYMENT-SIGNATURE. ' +
  'The unused part is credited to the wallet, which spends it with a sign-in (SIGN-IN-WITH-X). GET /api/v1/models?type=all and GET /api/v1/crypto/rpc/networks are free and list models and networks.';

interface Components {
  schemas: Json;
  examples: Json;
}

function describeOperation(operation: Operation, components: Components, options: DocumentOptions): Json {
  const {
    id,
    tag,
    summary,
    description,
    credentials,
    sale,
    missing,
    body,
    responses,
    errorForm = 'gateway',
  } = operation;
  const isPayable = sale !== undefined && options.perCallMinimumUsd !== null;
  const parameters = [
    ...(operation.parameters ?? []),
    ...(sale ? [RECEIPT_PARAMETER] : []),
    ...(isPayable ? paymentParameters : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: missing === undefined ? description : `${missing}\n\n${description}`,
    security: [...credentials.map((name) => ({ [SCHEME_OF[name]]: [] })), ...(isPayable ? [{ payment: [] }] : [])],
    ...(isPayable ? { 'x-payment-info': paymentInfo(sale, options.perCallMinimumUsd ?? '') } : {}),
    ...(parameters.length > 0
      ? { parameters: parameters.map((parameter) => describeParameter(parameter, components, options)) }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              [body.type ?? 'application/json']: {
                schema: jsonSchemaOf(body.schema, components.schemas, 'input'),
                examples: namedExamples(body.examples),
              },
            },
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        describeResponse(
          response,
          { isSold: sale !== undefined && status === '200', isPaid: isPayable && status === '200', errorForm },
          components,
        ),
      ]),
    ),
  };
}

function describeParameter(
  { schema, name, ...parameter }: NonNullable<Operation['parameters']>[number],
  { schemas }: Components,
  { networks }: DocumentOptions,
): Json {
  const described = jsonSchemaOf(schema, schemas, 'input');
  return {
    name,
    ...parameter,
    schema: name === 'network' && networks.length > 0 ? { ...described, enum: [...networks] } : described,
  };
}

function describeResponse(
  { description, schema, examples = {}, codes = [], media = [], headers }: Response,
  { isSold, isPaid, errorForm }: { isSold: boolean; isPaid: boolean; errorForm: ErrorForm },
  components: Components,
): Json {
  const content = {
    ...(schema
      ? {
          'application/json': {
            schema: jsonSchemaOf(schema, components.schemas, 'output'),
            ...withExamples({ ...namedExamples(examples), ...errorExamples(codes, errorForm, components) }),
          },
        }
      : {}),
    ...Object.fromEntries(media.map((medium) => [medium.type, describeMedia(medium)])),
  };
  const described = Object.entries({
    'X-Request-ID': 'Correlation id, 32 characters',
    ...headers,
    ...(isSold ? SIGNED_RECEIPT_HEADER : {}),
    ...(isPaid ? RECEIPT_HEADER : {}),
  });
  return {
    description,
    headers: Object.fromEntries(
      described.map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
    ),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** OpenAPI 3.1 has no type for bytes, only a media type (section 4.8.14.2). */
function describeMedia({ type, example }: Media): Json {
  if (example !== undefined) return { schema: { type: 'string' }, example };
  return { schema: { contentMediaType: type } };
}

function withExamples(examples: Json): Json {
  return Object.keys(examples).length > 0 ? { examples } : {};
}

function namedExamples(examples: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function errorExamples(codes: readonly ErrorCode[], form: ErrorForm, { examples }: Components): Json {
  return Object.fromEntries(
    codes.map((code) => {
      const name = form === 'gateway' ? code : `${code}.${form}`;
      examples[name] ??= { value: JSON.parse(String(errorReply(apiError(code), form).body)) as unknown };
      return [code, { $ref: `#/components/examples/${name}` }];
    }),
  );
}
