import type { Call, Reply } from '../../http/call';

/** Returns whether the caller wants CSV. Without the `format` parameter, the Accept header decides. */
export function wantsCsv(call: Pick<Call, 'header'>, format: 'json' | 'csv' | undefined): boolean {
  return format === undefined ? prefersCsv(call) : format === 'csv';
}

/** Ignores q weights, which no client sends for these types. */
function prefersCsv(call: Pick<Call, 'header'>): boolean {
  const types = (call.header('accept') ?? '')
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim());
  return types.find((type) => type === 'text/csv' || type === 'application/json') === 'text/csv';
}

/** Returns a CSV answer, with the cursor of the next page in X-Next-Cursor. */
export function csv(body: string, nextCursor: string | null = null): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    },
    body,
  };
}
