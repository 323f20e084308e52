import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '../auth/caller';
import { bytesOf, json, type Reply } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';
import { newRequestId } from '../http/request-id';

const livezRoute: Route = { path: '/livez', sameOrigin: true };
const readyzRoute: Route = { path: '/readyz', sameOrigin: true };
/** Routes for supervisors, at the origin's root. The API description omits these routes. */
export const probeRoutes: readonly Route[] = [livezRoute, readyzRoute];

/**
 * Readiness checks by name. Each returns the reasons why the gateway cannot serve calls, as sentences. An empty list
 * means that it can.
 */
type Readiness = Readonly<Record<string, () => Awaitable<readonly string[]>>>;

/** GET /livez: always answers 200. Supervisors restart a process that does not answer. */
export function livez(): Endpoint {
  return { ...livezRoute, GET: () => alive() };
}

function alive(): Reply {
  return json({ status: 'ok' });
}

/** GET /readyz, for load balancers: 200 while the gateway is ready for calls, else 503 with every reason. */
export function readyz({ readiness }: { readiness: Readiness }): Endpoint {
  return {
    ...readyzRoute,
    GET: async () => {
      const checks = Object.entries(readiness).map(async ([check, reasonsNow]) =>
        (await reasonsNow()).map((reason) => ({ check, reason })),
      );
      const reasons = (await Promise.all(checks)).flat();
      return reasons.length === 0 ? json({ status: 'ok' }) : unready(reasons);
    },
  };
}

function unready(reasons: readonly { check: string; reason: string }[]): Reply {
  return json({ status: 'unready', reasons }, 503);
}

const STARTING = [{ check: 'start', reason: 'The gateway is starting: it opens and migrates its database.' }];

/** Answers probes while the gateway starts. @returns whether the request was a probe */
export function answerWhileStarting({ method, url }: IncomingMessage, response: ServerResponse): boolean {
  const reply = method === 'GET' || method === 'HEAD' ? replyTo(url) : null;
  if (!reply) return false;
  response.writeHead(reply.status, { ...reply.headers, 'x-request-id': newRequestId(), 'cache-control': 'no-store' });
  response.end(method === 'HEAD' || reply.body === null ? undefined : bytesOf(reply.body as string));
  return true;
}

function replyTo(url: string | undefined): Reply | null {
  if (url === livezRoute.path) return alive();
  return url === readyzRoute.path ? unready(STARTING) : null;
}
