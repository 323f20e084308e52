import { type OperatorFigures, operatorFiguresSchema } from '@/lib/protocol/operator-figures';
import { type CallOptions, exchanger, type TurnpikeClientOptions } from './exchange';

const PATH = '/api/v1/operator/figures';
const NOT_FOUND = 404;

/**
 * How the gateways do and what the books say, for the operator whose key or sign-in is presented; null for everybody else.
 * @throws GatewayError, UnreachableError, ZodError for an answer of another release.
 */
export async function askOperatorFigures(options: TurnpikeClientOptions, callOptions: CallOptions = {}): Promise<OperatorFigures | null> {
  const { absent, body } = await exchanger(options)('GET', PATH, { ...callOptions, absentStatus: NOT_FOUND });
  return absent ? null : operatorFiguresSchema.parse(body);
}
