import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { errorText } from '@/lib/client/bounded-body';
import { currentCall } from './tool-call';

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
/** No header of the gateway is longer. */
const HEADER_LENGTH_MAX = 65_536;
const CREDENTIALS = ['sign-in-with-x', 'authorization'];
/** Refusals of a payment as such; others leave it as it is, to be sent again. */
const FINAL_REFUSALS: readonly string[] = ['X402_INVALID_PAYMENT', 'X402_PAYMENT_USED'];
/** Where the gateway takes a payment with the call. */
const PAID_PATHS = /\/api\/v1\/(crypto\/rpc\/[^/]+|chat\/completions|audio\/speech)$/;

/**
 * The payment of one tool's call by the client behind it: x402 over MCP, binding by tool results (x402
 * specs/transports-v2/mcp.md). What the gateway asks for is handed to the client as it came; what the client signed
 * goes to the gateway as it came; nothing is signed, kept or paid here.
 */
export class MadePayment {
  #demand: Record<string, unknown> | null = null;
  #receipt: unknown = null;

  /** @param meta of the request */
  constructor(private readonly meta: Readonly<Record<string, unknown>> | undefined) {}

  /** As a header of the gateway; null where the client sent none. */
  get header(): string | null {
    const payload = this.meta?.[PAYMENT];
    return typeof payload === 'object' && payload !== null ? encoded(payload) : null;
  }

  /** Notes what an answer says of money. @param because why an earlier payment was refused */
  hear(response: Response, because: string | null = null): void {
    const demand = decoded(response.headers.get('payment-required'));
    if (response.status === 402 && Array.isArray(demand?.['accepts'])) this.#demand = because === null ? demand : { ...demand, error: because };
    this.#receipt = decoded(response.headers.get('payment-response')) ?? this.#receipt;
  }

  /** What is to be paid before the tool does its work, as the specification has it; null where that is not why it failed. */
  demanded(): CallToolResult | null {
    if (this.#demand === null) return null;
    return this.receipted({ isError: true, structuredContent: this.#demand, content: [{ type: 'text', text: JSON.stringify(this.#demand) }] });
  }

  /** The same answer with what came of the payment. */
  receipted(result: CallToolResult): CallToolResult {
    return this.#receipt === null ? result : { ...result, _meta: { ...result._meta, [RECEIPT]: this.#receipt } };
  }
}

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
  const sentence = String(typeof message === 'string' ? message : error);
  return typeof hint !== 'string' || sentence.includes(hint) ? sentence : `${sentence} ${hint}`;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

function decoded(header: string | null): Record<string, unknown> | null {
  if (header === null || header.length > HEADER_LENGTH_MAX) return null;
  const value = recordOf(Buffer.from(header, 'base64').toString('utf8'));
  return Object.keys(value).length === 0 ? null : value;
}

/** An object of JSON; empty for what is none. */
function recordOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
