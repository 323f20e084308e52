import { type OperatorFigures, operatorFiguresSchema } from '@/lib/protocol/operator-figures';
import { MisfitError, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

const PATH = '/api/v1/operator/figures';
const NOT_FOUND = 404;

/**
 * Fetches figures about all gateways and the ledger. Needs the operator's API key or sign-in; returns null for other
 * callers.
 *
 * @throws {GatewayError} for an error answer or another release's format; {UnreachableError}
 */
export async function askOperatorFigures(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<OperatorFigures | null> {
  const answer = await exchanger(options)('GET', PATH, { ...callOptions, absentStatus: NOT_FOUND });
  return answer.absent ? null : fitting(readFigures, answer);
}

const readFigures: Schema<OperatorFigures> = (value) => {
  const { data, error } = operatorFiguresSchema.safeParse(value);
  if (data !== undefined) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  const found = path.reduce<unknown>(
    (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
    value,
  );
  throw new MisfitError(path.join('.'), found, /expected (\w+)/.exec(message)?.[1] ?? 'another value');
};
