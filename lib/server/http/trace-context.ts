import { newRequestId } from './request-id';

/** The trace to which a request belongs, and the caller's span in it. */
export interface TraceContext {
  traceId: string;
  parentId: string;
  isSampled: boolean;
}

/**
 * Matches a `traceparent` (W3C Trace Context, level 1, section 3.2.2): version, trace id, parent id, flags. Later
 * versions may append more fields.
 */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const LENGTH_MAX = 512;
const SAMPLED = 1;

/** Parses a `traceparent`. @returns null if the value is malformed (W3C Trace Context, section 3.2.2.3) */
export function readTraceparent(value: string | null): TraceContext | null {
  if (value === null || value.length > LENGTH_MAX) return null;
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (isZero(traceId) || isZero(parentId)) return null;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Formats a `traceparent` of version 00. Sets no flag except "sampled". */
export function traceparentOf(
  { traceId, isSampled }: Pick<TraceContext, 'traceId' | 'isSampled'>,
  spanId: string,
): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

export function newSpanId(): string {
  return newRequestId().slice(16);
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
