import { type CallCredential, credentialHeader } from '@/lib/client';
import type { JsonNode } from '../json-document';
import type { RequestCall } from '../rpc/request-text';

/** The request that a sample reproduces. */
export interface SampledRequest {
  /** Absolute address of the endpoint. */
  url: string;
  /** What stands for the credential: itself, or its masked form; null where there is none. */
  credential: CallCredential | null;
  idempotencyKey: string | null;
  document: JsonNode;
  calls: readonly RequestCall[];
  isBatch: boolean;
}

/** Header names and values of the request, in the order in which samples write them. */
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

/** A JavaScript string literal in single quotes. */
export function quoteJs(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
