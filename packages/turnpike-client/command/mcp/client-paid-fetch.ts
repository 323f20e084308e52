import { parsedRecord } from '@/lib/protocol/json-record';
import { errorText } from '@/lib/client/bounded-answer';
import type { MadePayment } from './client-payment';
import { currentCall } from './tool-call';

const CREDENTIALS = ['sign-in-with-x', 'authorization'];
/** Error codes for a payment that can never be used. After any other refusal, the client can resend the payment. */
const FINAL_REFUSALS: readonly string[] = ['X402_INVALID_PAYMENT', 'X402_PAYMENT_USED', 'X402_PAYMENT_ID_REUSED'];
/** Paths at which the gateway accepts a payment with the request. */
const PAID_PATHS =
  /\/api\/v1\/(crypto\/rpc\/[^/]+|chat\/completions|audio\/(speech|transcriptions)|embeddings|images\/generations)$/;

/** Fetch that adds the MCP client's payment to paid requests, and removes other credentials from them. */
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
  // If the gateway refused the payment, sends the request again without payment, to get the terms that the gateway
  // accepts now.
  return because === null ? response : heard(payment, await fetch(input, { ...init, headers }), because);
};

function heard(payment: MadePayment, response: Response, because: string | null): Response {
  payment.hear(response, because);
  return response;
}

async function refusalOfPayment(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const { code, error, message, hint } = parsedRecord(await errorText(response.clone())) ?? {};
  if (typeof code !== 'string' || !FINAL_REFUSALS.includes(code)) return null;
  const sentence = [message, error].find((each) => typeof each === 'string') ?? code;
  return typeof hint !== 'string' || sentence.includes(hint) ? sentence : `${sentence} ${hint}`;
}
