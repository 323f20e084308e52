import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool } from 'pg';
import { isApiError } from '@/lib/protocol/errors';
import { endsConnection, kindOfFailure } from './failure';
import { storeUnavailable } from './store-unavailable';

/**
 * Wraps the pool for Kysely. If the server is unreachable or cannot run a statement now, throws STORE_UNAVAILABLE
 * (503). Does not change the statement's own errors. Closes a connection that must not be used again.
 */
export function answeringPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw storeUnavailable(error);
      });
      let isUsable = true;
      const failed = (error: unknown): never => {
        isUsable &&= !endsConnection(error);
        throw error;
      };
      return new Proxy(client, {
        get: (target, name) => {
          if (name === 'release') return () => target.release(!isUsable);
          const member: unknown = Reflect.get(target, name, target);
          if (name === 'query')
            return (...args: Parameters<PostgresPoolClient['query']>) =>
              // oxlint-disable-next-line prefer-spread -- its own object is kept, which the rule does not see behind the type
              explained((target.query as unknown as PostgresPoolClient['query']).apply(target, args), failed);
          return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
        },
      }) as unknown as PostgresPoolClient;
    },
  };
}

function explained<T>(answer: T, failed: (error: unknown) => never): T {
  // Only queries by cursor return no promise. The gateway uses no cursors.
  if (!(answer instanceof Promise)) return answer;
  return answer.catch(failed).catch((error: unknown) => {
    const kind = kindOfFailure(error);
    const isOurs = isApiError(error) || error instanceof TypeError || error instanceof RangeError;
    throw isOurs || kind === 'refused' || kind === 'lock' ? error : storeUnavailable(error);
  }) as T;
}
