import { errorText } from '@/lib/client/bounded-body';
import type { MadePayment } from './client-payment';
import { recordOf } from '../json-record';
import { currentCall } from './tool-call';

const CREDENTIALS = ['sign-in-with-x', 'authorization'];
/** Refusals of a payment as such; others leave it as it is, to be sent again. */
const FINAL_REFUSALS: readonly string[] = ['X402_INVALID_PAYMENT', 'X402_PAYMENT_USED'];
/** Where the gateway takes a payment with the call. */
const PAID_PATHS = /\/api\/v1\/(crypto\/rpc\/[^/]+|chat\/completions|audio\/speech)$/;

/**
 * A fetch that has paid calls paid for by whoever asked for them. A payment is a credential of its own, and the gateway
 * takes it beside no other.
 */
export const fetchPaidByClient: typeof fetch = async (input, init) => {
  const { payment = null } = currentCall() ?? {};
  const { pathname } = new URL(input instanceof Request ? input.url : String(input));
  if (payment === null || !PAID_PATHS.test(pathname)) return fetch(input, init);
  const headers = new Headers(init?.headers);
  for (const name of CREDENTIALS) headers.delete(name);
  const { header } = payment;
  if (header === null) return heard(payment, await fetch(input, { ...init, headers }), null);
  const paid = new Headers(headers);
  paid.set('payment-signature', header);
  const response = await fetch(input, { ...init, headers: paid });
  const because = await refusalOfPayment(response);
  payment.hear(response);
  // Whoever signed what is refused is to hear why, and what would be taken instead.
  return because === null ? response : heard(payment, await fetch(input, { ...init, headers }), because);
};

function heard(payment: MadePayment, response: Response, because: string | null): Response {
  payment.hear(response, because);
  return response;
}

/** Why a payment was not taken, in the gateway's words; null for every other answer. */
async function refusalOfPayment(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const { code, error, message, hint } = recordOf(await errorText(response.clone()));
  if (typeof code !== 'string' || !FINAL_REFUSALS.includes(code)) return null;
  const sentence = [message, error].find((each) => typeof each === 'string') ?? code;
  return typeof hint !== 'string' || sentence.includes(hint) ? sentence : `${sentence} ${hint}`;
}
