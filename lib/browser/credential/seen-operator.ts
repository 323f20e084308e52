import { createStoredValue } from '@/lib/browser/storage/stored-value';

/**
 * True if the last check in this browser identified an operator. The console then links the operator's page. The value
 * grants no access.
 */
export const seenOperator = createStoredValue<boolean>({
  key: 'turnpike.operator',
  initial: false,
  parse: (stored) => (stored === true ? true : null),
});

export const OPERATOR_PATH = '/operator';
