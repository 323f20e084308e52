import { apiError } from '@/lib/protocol/errors';
import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import type { Operators } from '../../auth/operators';
import type { OperatorBooks } from '../../billing/operator-figures';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';

interface OperatorFigureParts {
  operators: Pick<Operators, 'isOperator'>;
  books: Pick<OperatorBooks, 'read'>;
  /** Returns the figures of all gateways with the same data folder. */
  gateways: () => Promise<OperatorFigures['gateways']>;
  consoleLimiter: AddressLimiter;
}

/** The API description omits this route, because only operators can use it. */
export const operatorFiguresRoute: Route = { path: '/api/v1/operator/figures' };

/**
 * GET /api/v1/operator/figures: the figures of `npm run admin -- status --json`. Limited by client address. Answers 404
 * to callers who are not operators, and to all methods but GET and HEAD.
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
