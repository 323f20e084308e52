import { GatewayError, type GatewayErrorDetail, UnreachableError } from '@/lib/client';

export type KeptError =
  | { kind: 'refused'; status: number; message: string; detail: GatewayErrorDetail }
  | { kind: 'unreachable'; baseUrl: string; hasBegun: boolean };

const BODY_CHARACTERS_MAX = 8_000;

/** Converts an error for storage. Returns null for an unexpected error, or if the body is too long to store. */
export function keepError(error: Error): KeptError | null {
  if (error instanceof UnreachableError)
    return { kind: 'unreachable', baseUrl: error.baseUrl, hasBegun: error.hasBegun };
  if (!(error instanceof GatewayError) || error.detail.bodyText.length > BODY_CHARACTERS_MAX) return null;
  return { kind: 'refused', status: error.status, message: error.message, detail: error.detail };
}

export function reviveError(kept: KeptError): Error {
  return kept.kind === 'refused'
    ? new GatewayError(kept.status, kept.message, kept.detail)
    : new UnreachableError(kept.baseUrl, false, { hasBegun: kept.hasBegun });
}

export function isKeptError(value: unknown): value is KeptError {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, status, message, detail, baseUrl, hasBegun } = value as Record<string, unknown>;
  if (kind === 'unreachable') return typeof baseUrl === 'string' && typeof hasBegun === 'boolean';
  return kind === 'refused' && typeof status === 'number' && typeof message === 'string' && isErrorDetail(detail);
}

/** Returns whether a stored value is the `detail` of a GatewayError. */
export function isErrorDetail(value: unknown): value is GatewayErrorDetail {
  if (typeof value !== 'object' || value === null) return false;
  const {
    isFromService,
    code,
    hint,
    customMessage,
    requestId,
    retryAtMs,
    latencyMs,
    bodyText,
    fieldErrors,
    rateLimit,
  } = value as Record<keyof GatewayErrorDetail, unknown>;
  const texts = [code, hint, customMessage, requestId].every((text) => text === null || typeof text === 'string');
  const isLimit =
    rateLimit === null ||
    (typeof rateLimit === 'object' &&
      Object.values(rateLimit).every((number) => number === null || typeof number === 'number'));
  const isTimed = (retryAtMs === null || typeof retryAtMs === 'number') && typeof latencyMs === 'number';
  return (
    texts &&
    isLimit &&
    isTimed &&
    typeof isFromService === 'boolean' &&
    typeof bodyText === 'string' &&
    Array.isArray(fieldErrors) &&
    fieldErrors.every(isFieldError)
  );
}

function isFieldError(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { path?: unknown }).path === 'string' &&
    typeof (value as { message?: unknown }).message === 'string'
  );
}
