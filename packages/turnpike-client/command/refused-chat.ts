import { parsedRecord } from '@/lib/protocol/json-record';
import { errorText } from '@/lib/client/bounded-body';
import { TurnpikeError } from '../src/turnpike-error';

export async function refusedChat(response: Response): Promise<TurnpikeError> {
  const { error, code, hint } = parsedRecord(await errorText(response)) ?? {};
  if (typeof error !== 'string') return new TurnpikeError('ANSWER_MALFORMED', { status: response.status });
  return new TurnpikeError(typeof code === 'string' ? code : 'REFUSED', {
    message: error,
    status: response.status,
    ...(typeof hint === 'string' && { remedy: hint }),
  });
}
