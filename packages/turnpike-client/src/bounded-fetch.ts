import { answerBoundOf } from '@/lib/client/answer-bounds';
import { boundedResponse } from '@/lib/client/bounded-response';

/** A fetch whose answers end within the bound of their endpoint: what reads them, an SDK perhaps, counts nothing itself. */
export function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return boundedResponse(await inner(input, init), answerBoundOf(pathname));
  };
}
