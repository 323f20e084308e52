import { apiError } from '@/lib/protocol/errors';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import type { Operators } from '../../auth/operators';
import type { OperatorBooks } from '../../billing/operator-books';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';

/** What the figures are put together from. */
export interface OperatorFigureParts {
  operators: Pick<Operators, 'isOperator'>;
  books: Pick<OperatorBooks, 'read'>;
  /** How each gateway on the data folder does, this one among them. */
  gateways: () => Promise<OperatorFigures['gateways']>;
  consoleLimiter: AddressLimiter;
}

/** Without docs: it is nothing for callers, and for them it is not there. */
export const operatorFiguresRoute: Route = { path: '/api/v1/operator/figures' };

/**
 * GET /api/v1/operator/figures: how the gateways do, and what the books say, as `npm run admin -- status --json` shows it.
 * To everybody but an operator it answers what a path without an endpoint answers, whatever the verb and the credential.
 * Limited by client address, for operators and others alike.
 */
export function operatorFigures({ operators, books, gateways, consoleLimiter }: OperatorFigureParts): Endpoint {
  return {
    ...operatorFiguresRoute,
    ANY: async (call) => {
      consoleLimiter.take(call.clientIp);
      const isRead = call.method === 'GET' || call.method === 'HEAD';
      if (!isRead || !(await operators.isOperator(call))) throw apiError('NOT_FOUND');
      const [all, said] = await Promise.all([gateways(), books.read()]);
      return json({ gateways: all, books: said } satisfies OperatorFigures);
    },
  };
}
