import type { MarginSums } from '../../billing/margins/operator-margins';
import type { CostsOf } from '../../billing/margins/unit-costs';
import { json } from '../../http/call';
import type { Endpoint, Route } from '../../http/endpoint';
import { type OperatorRouteParts, requireOperator } from './operator-route';

interface OperatorMarginParts extends OperatorRouteParts {
  margins: Pick<MarginSums, 'read'>;
  costsOf: CostsOf;
}

export const operatorMarginsRoute: Route = { path: '/api/v1/operator/margins' };

export function operatorMargins({ margins, costsOf, ...route }: OperatorMarginParts): Endpoint {
  return {
    ...operatorMarginsRoute,
    ANY: async (call) => {
      await requireOperator(call, route);
      return json(await margins.read(costsOf));
    },
  };
}
