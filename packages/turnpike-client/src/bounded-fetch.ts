import { answerBoundOf } from '@/lib/client/answer-bounds';
import { boundedResponse } from '@/lib/client/bounded-response';

/** Wraps fetch so that answers end at their endpoint's size limit, because readers such as SDKs do not count bytes. */
export function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return boundedResponse(await inner(input, init), answerBoundOf(pathname));
  };
}
