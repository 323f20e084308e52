import { TurnpikeError } from './turnpike-error';

/** Error codes that an SDK may retry. */
const PASSING: readonly string[] = ['UNREACHABLE', 'TIMEOUT', 'PAYMENT_PENDING'];
const OF_MONEY = /^(BUDGET_|TOP_UP_|PAYMENT_|ASSET_|TERMS_|RAIL_|SOLANA_RPC_)/;

/**
 * Returns a fetch for model SDKs. If this package refuses a call, the fetch returns an error answer in the gateway's
 * format. SDKs show the message of an error answer, but retry after a thrown error.
 */
export function sdkFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await inner(input, init);
    } catch (error) {
      if (!(error instanceof TurnpikeError) || PASSING.includes(error.code)) throw error;
      return refusalResponse(error);
    }
  };
}

export function refusalResponse(error: TurnpikeError): Response {
  const { code, message, remedy } = error;
  // An error that arrived with a 2xx status or a redirect gets an error status.
  const status = error.status === null ? (OF_MONEY.test(code) ? 402 : 403) : error.status >= 400 ? error.status : 502;
  const sentence = message.includes(remedy) ? message : `${message} ${remedy}`;
  return new Response(JSON.stringify({ error: sentence, code, hint: remedy }), {
    status,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}
