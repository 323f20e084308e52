import type { Route } from '../../http/endpoint';
import type { Operation, Sale } from '../../http/operation';

/** An endpoint that is paid for by the call. */
export interface SoldEndpoint {
  /** With parameters in braces. */
  path: string;
  operation: Operation & { sale: Sale };
}

/** The endpoints that are paid for by the call, in the order of the table: all of them are POST. */
export function soldEndpoints(routes: readonly Route[]): SoldEndpoint[] {
  return routes.flatMap(({ path, docs }) => {
    const operation = docs?.POST;
    return operation?.sale ? [{ path, operation: { ...operation, sale: operation.sale } }] : [];
  });
}
