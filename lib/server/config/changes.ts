import { isRecord } from '@/lib/protocol/json-record';
import { isDeepStrictEqual } from 'node:util';
import { fieldPath } from './field-path';
import type { ConfigSource } from './load';

/** Differences between two readings of a configuration. Contains only paths, because values may be secrets. */
interface Changes {
  /** Changed paths that a running gateway can apply. */
  live: string[];
  restart: string[];
}

const LIVE =
  /^(networks|limits|inference|pricePerCreditUsd|rpc)(\.|$)|^(speech|embeddings|images|transcriptions|video)\.models.*\.costs(\.|$)/;
/** Fields whose change needs a restart, because leases in the database depend on them. */
const FIXED = /^rpc\.timeoutMs$/;
/** Variables that override no field and need a restart. */
const VARIABLES = [
  'HOST',
  'PORT',
  'ADMIN_HOST',
  'ADMIN_PORT',
  'ADMIN_TOKEN',
  'TURNPIKE_SECRET',
  'TURNPIKE_SECRET_PREVIOUS',
  'TURNPIKE_OPERATOR_KEY',
  'DATABASE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'SPEECH_UPSTREAM_URL',
  'SPEECH_UPSTREAM_KEY',
  'EMBEDDINGS_UPSTREAM_URL',
  'EMBEDDINGS_UPSTREAM_KEY',
  'IMAGES_UPSTREAM_URL',
  'IMAGES_UPSTREAM_KEY',
  'VIDEO_UPSTREAM_URL',
  'VIDEO_UPSTREAM_KEY',
];

export function changesBetween(before: ConfigSource, after: ConfigSource): Changes {
  const { $schema: _before, ...old } = before.complete;
  const { $schema: _after, ...current } = after.complete;
  const paths = [
    ...differences(old, current),
    ...[...new Set([...VARIABLES, ...Object.keys(before.env), ...Object.keys(after.env)])]
      .filter((name) => (before.env[name] || '') !== (after.env[name] || ''))
      .flatMap(variablePath),
  ];
  const isLive = (path: string): boolean => LIVE.test(path) && !FIXED.test(path);
  return { live: paths.filter(isLive), restart: paths.filter((path) => !isLive(path)) };
}

function variablePath(name: string): string[] {
  if (/^RPC_.*(?<!_FILE)$/.test(name)) return [`networks.${name}`];
  if (/^(CHAT|ENCLAVE)_UPSTREAM_(URL|KEY)$/.test(name)) return [`inference.${name}`];
  return VARIABLES.includes(name) ? [name] : [];
}

function differences(left: unknown, right: unknown, steps: readonly PropertyKey[] = []): string[] {
  if (isDeepStrictEqual(left, right)) return [];
  if (!isRecord(left) || !isRecord(right)) return [fieldPath(steps)];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    differences(left[name], right[name], [...steps, name]),
  );
}
