import { type ApiError, apiError } from '@/lib/protocol/errors';

/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
export const RESULT_CODE = { busy: 5, ioError: 10, corrupt: 11, full: 13, notADatabase: 26 } as const;

/** Returns an SQLite error's primary result code; null for any other error. */
export function resultCodeOf(error: unknown): number | null {
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : null;
}

/** Retry-After in seconds. Longer than the interval of disk checks. */
const RETRY_AFTER_S = 5;

/** Builds the 503 for a full disk. Nothing was charged. */
export function storeFull(cause?: unknown): ApiError {
  return Object.assign(
    apiError('STORE_FULL', { headers: { 'retry-after': String(RETRY_AFTER_S) } }),
    cause === undefined ? {} : { cause },
  );
}

/**
 * Returns whether SQLite could not write because the disk was full or broken (sqlite.org, "Result and Error Codes").
 */
export function isDiskFull(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code === RESULT_CODE.full || code === RESULT_CODE.ioError;
}
