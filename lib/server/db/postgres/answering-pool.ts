import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { isApiError } from '@/lib/protocol/errors';
import { kindOfFailure } from './failure';
import { storeUnavailable } from './store-unavailable';

/**
 * The pool as Kysely takes it, where a server that is away or cannot run a statement now is STORE_UNAVAILABLE (503)
 * for whoever asked, and no fault of the gateway. What the server refuses stays what it is.
 */
export function answeringPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw storeUnavailable(error);
      });
      return new Proxy(client, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name, target);
          // oxlint-disable-next-line prefer-spread -- its own object is kept, which the rule does not see behind the type
          if (name === 'query')
            return (...args: Parameters<PostgresPoolClient['query']>) =>
              explained((target.query as unknown as PostgresPoolClient['query']).apply(target, args));
          return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
        },
      }) as unknown as PostgresPoolClient;
    },
  };
}

function explained<T>(answer: T): T {
  // A cursor is no promise, and nothing here asks for one.
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error: unknown) => {
    const kind = kindOfFailure(error);
    const isOurs = isApiError(error) || error instanceof TypeError || error instanceof RangeError;
    throw isOurs || kind === 'refused' || kind === 'lock' ? error : storeUnavailable(error);
  }) as T;
}
