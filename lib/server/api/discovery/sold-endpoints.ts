import type { Route } from '../../http/endpoint';
import type { Operation, Sale } from '../../http/operation';

export interface SoldEndpoint {
  /** Path with parameters in braces. */
  path: string;
  operation: Operation & { sale: Sale };
}

/** Returns the endpoints that charge for each call. All are POST. */
export function soldEndpoints(routes: readonly Route[]): SoldEndpoint[] {
  return routes.flatMap(({ path, docs }) => {
    const operation = docs?.POST;
    return operation?.sale ? [{ path, operation: { ...operation, sale: operation.sale } }] : [];
  });
}
