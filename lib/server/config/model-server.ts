import { z } from 'zod';
import { isHttpUrl, refuseTwins, requestHeaders, traceContext } from './fields';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { Secret } from './secret';

const CONCURRENT_REQUESTS = 256;

const maxConcurrentRequests = z
  .number()
  .int()
  .min(1)
  .max(1_024)
  .default(CONCURRENT_REQUESTS)
  .describe('Maximum concurrent requests of callers; more wait in turns');

/** Server with an OpenAI-compatible API. */
export const modelServer = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'Must be a short name such as ollama')
    .describe('Name of the upstream in logs and models'),
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .describe('Base URL of an OpenAI-compatible API, usually ending in /v1'),
  key: z.string().max(4_096).optional().describe('API key (Bearer token); set it from the environment'),
  headers: requestHeaders.default({}).describe('Further request headers'),
  maxConcurrentRequests,
  traceContext,
});

/** Model settings that several services have. */
export const namedModel = {
  name: z.string().min(1).max(200).optional().describe('Display name'),
  upstream: z.string().optional().describe('Upstream that has the model; by default all'),
  upstreamModel: z.string().min(1).max(256).optional().describe("The upstream's id of the model; by default the same"),
};

const timeoutMs = (standard: number) => z.number().int().min(10).max(3_600_000).default(standard);

/** Returns a schema for a service's model servers and their timeouts. */
export function modelServers({
  firstByteTimeoutMs,
  failoverTimeoutMs,
}: {
  firstByteTimeoutMs: number;
  failoverTimeoutMs: number;
}) {
  return {
    upstreams: z
      .array(modelServer)
      .max(16)
      .superRefine(refuseTwins)
      .default([])
      .describe('OpenAI-compatible servers, asked in this order, healthy ones first'),
    connectTimeoutMs: timeoutMs(5_000),
    firstByteTimeoutMs: timeoutMs(firstByteTimeoutMs).describe(
      'Timeout from sending a request to the first byte of the answer',
    ),
    failoverTimeoutMs: timeoutMs(failoverTimeoutMs).describe('Total time for all attempts'),
    idleTimeoutMs: timeoutMs(30_000).describe('Timeout between two parts of an answer'),
  };
}

/** Returns the server that variables configure, such as CHAT_UPSTREAM_URL and CHAT_UPSTREAM_KEY. */
export function serverOfVariables(
  name: 'chat' | 'enclave' | 'embeddings' | 'images',
  env: Environment,
  faults: Faults,
): z.output<typeof modelServer>[] {
  const variable = `${name.toUpperCase()}_UPSTREAM`;
  const [url, key] = [env[`${variable}_URL`], env[`${variable}_KEY`]];
  if (!url) return [];
  if (!isHttpUrl(url)) faults.set(`${variable}_URL`, 'expected an http:// or https:// URL');
  return [
    {
      name,
      url,
      headers: {},
      maxConcurrentRequests: CONCURRENT_REQUESTS,
      traceContext: false,
      ...(key ? { key } : {}),
    },
  ];
}

/** Wraps the secrets of a model server. */
export function plainModelServer({
  name,
  url,
  key,
  headers,
  maxConcurrentRequests: requestsMax,
  traceContext: sends,
}: z.output<typeof modelServer>) {
  return {
    name,
    url: url.replace(/\/+$/, ''),
    key: key ? new Secret(key) : null,
    headers: Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header.toLowerCase(), new Secret(value)]),
    ),
    isEnclave: false as const,
    maxConcurrentRequests: requestsMax,
    traceContext: sends,
  };
}
