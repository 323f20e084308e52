import { newRequestId } from './request-id';

/** Which trace a request belongs to, and whose part of it asked. */
export interface TraceContext {
  /** 32 hex characters. */
  traceId: string;
  /** 16 hex characters: the span that asked. */
  parentId: string;
  /** Whether whoever asked records the trace. */
  isSampled: boolean;
}

/** W3C Trace Context, level 1, section 3.2.2: version, trace id, parent id, flags; later versions may add more behind a hyphen. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const LENGTH_MAX = 512;
const SAMPLED = 1;

/** Reads a `traceparent`. @returns null for one that is malformed, which counts as none (W3C Trace Context, section 3.2.2.3). */
export function readTraceparent(value: string | null): TraceContext | null {
  if (value === null || value.length > LENGTH_MAX) return null;
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (isZero(traceId) || isZero(parentId)) return null;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** A `traceparent` of version 00, of the flags only the one that this version knows. */
export function traceparentOf(
  { traceId, isSampled }: Pick<TraceContext, 'traceId' | 'isSampled'>,
  spanId: string,
): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A random id of a span: 16 hex characters. */
export function newSpanId(): string {
  return newRequestId().slice(16);
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
