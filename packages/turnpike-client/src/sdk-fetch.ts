import { TurnpikeError } from './turnpike-error';

/** What an SDK may well try again. */
const PASSING: readonly string[] = ['UNREACHABLE', 'TIMEOUT', 'PAYMENT_PENDING'];
const OF_MONEY = /^(BUDGET_|TOP_UP_|PAYMENT_|ASSET_|TERMS_|RAIL_|SOLANA_RPC_)/;

/**
 * A fetch for SDKs of models: what refuses a call on this side becomes an answer in the gateway's form. SDKs show the
 * sentence of an answer, and call everything that a fetch throws a connection error, which they try again.
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

/** An error of this package as an answer of HTTP. */
export function refusalResponse(error: TurnpikeError): Response {
  const { code, message, remedy } = error;
  // What a 2xx or a redirect says wrongly is no success of this call.
  const status = error.status === null ? (OF_MONEY.test(code) ? 402 : 403) : error.status >= 400 ? error.status : 502;
  const sentence = message.includes(remedy) ? message : `${message} ${remedy}`;
  return new Response(JSON.stringify({ error: sentence, code, hint: remedy }), {
    status,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
  });
}
