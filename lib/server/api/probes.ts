import type { Awaitable } from '../auth/caller';
import { json, type Reply } from '../http/call';
import type { Endpoint, Route } from '../http/endpoint';

export const livezRoute: Route = { path: '/livez', sameOrigin: true };
export const readyzRoute: Route = { path: '/readyz', sameOrigin: true };
/** At the origin, where supervisors look: no part of the API that is described. */
export const probeRoutes: readonly Route[] = [livezRoute, readyzRoute];

/** Why the gateway should be sent no calls, a sentence each, by what keeps it from being ready. */
export type Readiness = Readonly<Record<string, () => Awaitable<readonly string[]>>>;

/** GET /livez: the process answers. For supervisors, who restart what does not: nothing that a restart would not mend is looked at. */
export function livez(): Endpoint {
  return { ...livezRoute, GET: () => alive() };
}

export function alive(): Reply {
  return json({ status: 'ok' });
}

/** GET /readyz: 200 while the gateway is to be sent calls, else 503 with every reason. For balancers. */
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

/** The answer of a gateway that is not ready. */
export function unready(reasons: readonly { check: string; reason: string }[]): Reply {
  return json({ status: 'unready', reasons }, 503);
}
