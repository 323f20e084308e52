import { type DoorFacts, withDoorFacts } from '@/lib/server/http/door-facts';

/** Calls a route handler as Next does behind its door, which says where the request came from and what it asks for. */
export function throughDoor(handler: (request: Request) => Promise<Response>, request: Request, said: Partial<DoorFacts> = {}): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  return withDoorFacts({ peer: '1.1.1.1', path: pathname, query: search, method: request.method, ...said }, () => handler(request));
}
