import { isDeepStrictEqual } from 'node:util';
import { fieldPath } from './field-path';
import type { ConfigSource } from './load';

/** What differs between two readings of a configuration. Paths only: values may be secrets. */
export interface Changes {
  /** Can be taken over by a gateway that runs. */
  live: string[];
  /** Needs a restart. */
  restart: string[];
}

/** What a gateway takes over while it runs: where calls go, what they cost, and how many there may be. */
const LIVE = /^(networks|limits|inference|pricePerCreditUsd|rpc)(\.|$)/;
/** Of these, what leases in the database are made by. */
const FIXED = /^rpc\.timeoutMs$/;
/** Variables that give no field; those of chat are upstreams too. */
const VARIABLES = [
  'HOST',
  'TURNPIKE_SECRET',
  'TURNPIKE_SECRET_PREVIOUS',
  'TURNPIKE_OPERATOR_KEY',
  'DATABASE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'SPEECH_UPSTREAM_URL',
  'SPEECH_UPSTREAM_KEY',
  'VIDEO_UPSTREAM_URL',
  'VIDEO_UPSTREAM_KEY',
];

/** Compares two readings, the later one with its defaults. */
export function changesBetween(before: ConfigSource, after: ConfigSource): Changes {
  const { $schema: _before, ...old } = before.complete;
  const { $schema: _after, ...current } = after.complete;
  const paths = [
    ...differences(old, current),
    ...VARIABLES.filter((name) => (before.env[name] || '') !== (after.env[name] || '')),
  ];
  const isLive = (path: string): boolean => LIVE.test(path) && !FIXED.test(path);
  return { live: paths.filter(isLive), restart: paths.filter((path) => !isLive(path)) };
}

/** Paths of the innermost values that differ; lists differ as a whole. */
function differences(left: unknown, right: unknown, steps: readonly PropertyKey[] = []): string[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (!isMembers(left) || !isMembers(right)) return [fieldPath(steps)];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    differences(left[name], right[name], [...steps, name]),
  );
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
