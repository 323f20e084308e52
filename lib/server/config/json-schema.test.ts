import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { configJsonSchema } from './json-schema';

it('the published JSON Schema is that of the code: npm run config-schema writes it anew', () => {
  const published = readFileSync(resolve(import.meta.dirname, '../../../public/turnpike.config.schema.json'), 'utf8');
  expect(published).toBe(configJsonSchema());
});

it('the JSON Schema knows every field, and refuses others', () => {
  const schema = JSON.parse(configJsonSchema()) as {
    properties: Record<string, unknown>;
    required?: string[];
    additionalProperties: unknown;
  };
  expect(Object.keys(schema.properties).sort()).toEqual([
    '$schema',
    'brand',
    'dataDir',
    'diskFreeBytesMin',
    'drain',
    'embeddings',
    'idempotency',
    'images',
    'inference',
    'limits',
    'log',
    'memory',
    'networks',
    'operators',
    'otlp',
    'payments',
    'pricePerCreditUsd',
    'profile',
    'publicUrls',
    'readiness',
    'retention',
    'rpc',
    'signIn',
    'speech',
    'staking',
    'transcriptions',
    'trustProxyHops',
    'video',
    'walletConnectProjectId',
    'webhooks',
    'workers',
  ]);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.required).toBeUndefined();
});
