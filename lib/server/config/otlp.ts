import { z } from 'zod';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { requestHeaders } from './fields';
import { isHttpUrl } from './http-url';
import { Secret } from './secret';

/** Where OTLP/HTTP takes traces, below an endpoint for all signals (OpenTelemetry, OTLP exporter, "Endpoint URLs for OTLP/HTTP"). */
const TRACES_PATH = '/v1/traces';

/** Traces for OpenTelemetry. */
export const otlpSchema = z.strictObject({
  url: z
    .string()
    .refine(isHttpUrl, 'Must be an http:// or https:// URL')
    .optional()
    .describe(
      'Base URL of an OTLP/HTTP receiver, such as http://127.0.0.1:4318, to whose /v1/traces they are sent; OTEL_EXPORTER_OTLP_ENDPOINT replaces it. Without it nothing of OpenTelemetry is loaded',
    ),
  headers: requestHeaders.default({}).describe('Request headers, such as an authorisation'),
  share: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('Of requests, how many are traced. What a caller says of its own sampling decides nothing'),
  serviceName: z.string().min(1).max(120).default('turnpike').describe('The name of this service in traces'),
});

/** Where traces go. */
export interface OtlpConfig {
  /** Of traces, with its path: a secret, since keys may stand in it. */
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
  share: number;
  serviceName: string;
}

/** Null where no traces are sent. */
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
