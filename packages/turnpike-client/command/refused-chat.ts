import { errorText } from '@/lib/client/bounded-body';
import { TurnpikeError } from '../src/turnpike-error';

/** The refusal of a chat, whose body is in the gateway's form, as an error of this package. */
export async function refusedChat(response: Response): Promise<TurnpikeError> {
  const text = await errorText(response);
  try {
    const { error, code, hint } = JSON.parse(text) as { error?: unknown; code?: unknown; hint?: unknown };
    if (typeof error === 'string') return new TurnpikeError(typeof code === 'string' ? code : 'REFUSED', { message: error, status: response.status, ...(typeof hint === 'string' && { remedy: hint }) });
  } catch {
    // Whatever answered, it was not the gateway.
  }
  return new TurnpikeError('ANSWER_MALFORMED', { status: response.status });
}
