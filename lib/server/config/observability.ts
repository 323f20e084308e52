import { z } from 'zod';
import type { Environment } from './environment';
import type { Faults } from './faults';
import { isHttpUrl, requestHeaders } from './fields';
import { Secret } from './secret';

export const logSchema = z.strictObject({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  requests: z
    .strictObject({
      share: z
        .number()
        .min(0)
        .max(1)
        .default(0.01)
        .describe(
          'Share of successful fast requests that are logged: 0 for none, 1 for all. Slow and failed requests are logged up to the two maxima below',
        ),
      slowMs: z
        .number()
        .int()
        .min(1)
        .max(3_600_000)
        .default(5_000)
        .describe('A request is slow if its answer, or the start of its stream, takes longer than this'),
      refusalsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(100)
        .describe(
          'Maximum log lines a second for refused requests (4xx), so that callers cannot fill the log. A line tells how many were left out',
        ),
      faultsPerSecondMax: z
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(1_000)
        .describe(
          'Maximum log lines a second for failed (5xx) and slow requests, so that one fault cannot fill the disk',
        ),
    })
    .prefault({})
    .describe('Request log: one line for each request'),
});

export type LogConfig = z.output<typeof logSchema>;

/** Path below the receiver's base URL (OpenTelemetry, OTLP exporter, "Endpoint URLs for OTLP/HTTP"). */
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
  /** URL including the path. It is a secret, because it may contain a key. */
  url: Secret;
  headers: Readonly<Record<string, Secret>>;
  share: number;
  serviceName: string;
}

/** Returns the OTLP receiver; null if traces are not configured. */
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
