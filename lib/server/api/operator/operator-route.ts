import { apiError } from '@/lib/protocol/errors';
import type { Operators } from '../../auth/operators';
import type { Call } from '../../http/call';
import type { AddressLimiter } from '../../http/rate-limit/address-limiter';

export interface OperatorRouteParts {
  operators: Pick<Operators, 'isOperator'>;
  consoleLimiter: AddressLimiter;
}

/** @throws ApiError NOT_FOUND for callers who are not operators, and for all methods but GET and HEAD */
export async function requireOperator(call: Call, { operators, consoleLimiter }: OperatorRouteParts): Promise<void> {
  consoleLimiter.take(call.clientIp);
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  if (!isRead || !(await operators.isOperator(call))) throw apiError('NOT_FOUND');
}
