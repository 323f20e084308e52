import { type CallCredential, credentialHeader } from '@/lib/client';
import type { JsonNode } from '../json-document';
import type { RequestCall } from '../rpc/request-text';

export interface SampledRequest {
  url: string;
  /** Credential or its masked form; null if there is none. */
  credential: CallCredential | null;
  idempotencyKey: string | null;
  document: JsonNode;
  calls: readonly RequestCall[];
  isBatch: boolean;
}

export function sampleHeaders({
  credential,
  idempotencyKey,
}: SampledRequest): readonly (readonly [name: string, value: string])[] {
  return [
    ...(credential === null ? [] : [credentialHeader(credential)]),
    ['Content-Type', 'application/json'] as const,
    ...(idempotencyKey === null ? [] : [['Idempotency-Key', idempotencyKey] as const]),
  ];
}

export function quoteJs(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
