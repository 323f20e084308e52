import { z } from 'zod';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { requestHeaders } from './fields';
import { isHttpUrl } from './http-url';
import { Secret } from './secret';

/**
 * Path of traces below the base URL of an OTLP/HTTP receiver (OpenTelemetry, OTLP exporter, "Endpoint URLs for
 * OTLP/HTTP").
 */
const TRACES_PATH = '/v1/traces';

export const otlpSchema = z.strictObject({
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .optional()
    .describe(
      'Base URL of an OTLP/HTTP receiver, such as http://127.0.0.1:4318; traces go to its /v1/traces. OTEL_EXPORTER_OTLP_ENDPOINT replaces it. Without a URL, OpenTelemetry is not loaded',
    ),
  headers: requestHeaders.default({}).describe('Request headers, such as an authorisation'),
  share: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('Share of requests that are traced, 0 to 1. The sampling flag of a caller is ignored'),
  serviceName: z.string().min(1).max(120).default('turnpike').describe('Name of this service in traces'),
});

export interface OtlpConfig {
  /** URL with its path. It is a secret because it may contain a key. */
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
  share: number;
  serviceName: string;
}

/** Returns the receiver; null if traces are not configured. */
export function otlpOf(
  { url, headers, share, serviceName }: z.output<typeof otlpSchema>,
  { OTEL_EXPORTER_OTLP_ENDPOINT: fromEnvironment }: Environment,
  faults: Faults,
): OtlpConfig | null {
  if (fromEnvironment && !isHttpUrl(fromEnvironment))
    faults.set('OTEL_EXPORTER_OTLP_ENDPOINT', 'expected an http:// or https:// URL');
  const base = fromEnvironment || url;
  if (base === undefined || !isHttpUrl(base)) return null;
  const parsed = new URL(base);
  parsed.pathname = parsed.pathname.replace(/\/+$/, '') + TRACES_PATH;
  return {
    url: new Secret(parsed.href),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, new Secret(value)])),
    share,
    serviceName,
  };
}
