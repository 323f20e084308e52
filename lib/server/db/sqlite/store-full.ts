import { type ApiError, apiError } from '@/lib/protocol/errors';

/** Until the next look at the disk has passed. */
const RETRY_AFTER_S = 5;

/** 503: there is no room to write a charge, and nothing was charged. */
export function storeFull(cause?: unknown): ApiError {
  return Object.assign(
    apiError('STORE_FULL', { headers: { 'retry-after': String(RETRY_AFTER_S) } }),
    cause === undefined ? {} : { cause },
  );
}

/** Whether SQLite could not write for want of room, or because the disk failed it (sqlite.org, "Result and Error Codes"). */
export function isDiskFull(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code);
  return code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR');
}
