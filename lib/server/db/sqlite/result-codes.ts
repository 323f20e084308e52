/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
export const RESULT_CODE = { busy: 5, ioError: 10, full: 13, notADatabase: 26 } as const;

/** Returns an SQLite error's primary result code; null for any other error. */
export function resultCodeOf(error: unknown): number | null {
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : null;
}
