import { type OperatorFigures, operatorFiguresSchema } from '@/lib/protocol/operator-figures';
import { type OperatorMargins, operatorMarginsSchema } from '@/lib/protocol/operator-margins';
import type { z } from 'zod';
import { MisfitError, type Schema } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

const NOT_FOUND = 404;

/**
 * Fetches figures about all gateways and the ledger. Needs the operator's API key or sign-in; returns null for other
 * callers.
 *
 * @throws {GatewayError} for an error answer, or an answer in another release's format; {UnreachableError}
 */
export function askOperatorFigures(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<OperatorFigures | null> {
  return askOperator('figures', readerOf(operatorFiguresSchema), options, callOptions);
}

/** Like {@link askOperatorFigures}. */
export function askOperatorMargins(
  options: TurnpikeClientOptions,
  callOptions: CallOptions = {},
): Promise<OperatorMargins | null> {
  return askOperator('margins', readerOf(operatorMarginsSchema), options, callOptions);
}

async function askOperator<T>(
  what: string,
  schema: Schema<T>,
  options: TurnpikeClientOptions,
  callOptions: CallOptions,
): Promise<T | null> {
  const path = `/api/v1/operator/${what}`;
  const answer = await exchanger(options)('GET', path, { ...callOptions, absentStatus: NOT_FOUND });
  return answer.absent ? null : fitting(schema, answer);
}

function readerOf<T>(schema: z.ZodType<T>): Schema<T> {
  return (value) => {
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return data;
    const { path = [], message = '' } = error?.issues[0] ?? {};
    const found = path.reduce<unknown>(
      (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
      value,
    );
    throw new MisfitError(path.join('.'), found, /expected (\w+)/.exec(message)?.[1] ?? 'another value');
  };
}
