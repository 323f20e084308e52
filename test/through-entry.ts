import { type EntryFacts, withEntryFacts } from '@/lib/server/http/entry-facts';

/** Calls a route handler as Next does behind its entry, which adds the origin and target of the request. */
export function throughEntry(
  handler: (request: Request) => Promise<Response>,
  request: Request,
  said: Partial<EntryFacts> = {},
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  return withEntryFacts(
    {
      peer: '1.1.1.1',
      path: pathname,
      query: search,
      method: request.method,
      acceptEncoding: request.headers.get('accept-encoding'),
      encodedAs: () => undefined,
      disconnect: () => undefined,
      ...said,
    },
    () => handler(request),
  );
}
