import type { OperatorFigures } from '@/lib/protocol/operator-figures';
import type { OperatorBooks } from '../../billing/operator-figures';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { type OperatorRouteParts, requireOperator } from './operator-route';

interface OperatorFigureParts extends OperatorRouteParts {
  books: Pick<OperatorBooks, 'read'>;
  /** Returns the figures of all gateways with the same data folder. */
  gateways: () => Promise<OperatorFigures['gateways']>;
}

/** The API description omits this route, because only operators can use it. */
export const operatorFiguresRoute: Route = { path: '/api/v1/operator/figures' };

/** GET /api/v1/operator/figures: the same figures as `npm run admin -- status --json`. */
export function operatorFigures({ books, gateways, ...route }: OperatorFigureParts): Endpoint {
  return {
    ...operatorFiguresRoute,
    ANY: async (call) => {
      await requireOperator(call, route);
      const [all, said] = await Promise.all([gateways(), books.read()]);
      return json({ gateways: all, books: said } satisfies OperatorFigures);
    },
  };
}
