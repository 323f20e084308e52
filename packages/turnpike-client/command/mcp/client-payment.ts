import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { jsonText } from '../printable';
import { recordOf } from '../json-record';

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
/** No header of the gateway is longer. */
const HEADER_LENGTH_MAX = 65_536;

/**
 * The payment of one tool's call by the client behind it: x402 over MCP, binding by tool results (x402
 * specs/transports-v2/mcp.md). What the gateway asks for is handed to the client as it came; what the client signed
 * goes to the gateway as it came; nothing is signed, kept or paid here.
 */
export class MadePayment {
  #demand: Readonly<Record<string, unknown>> | null = null;
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
    if (response.status === 402 && Array.isArray(demand?.['accepts']))
      this.#demand = because === null ? demand : { ...demand, error: because };
    this.#receipt = decoded(response.headers.get('payment-response')) ?? this.#receipt;
  }

  /** What is to be paid before the tool does its work, as the specification has it; null where that is not why it failed. */
  demanded(): CallToolResult | null {
    if (this.#demand === null) return null;
    return this.receipted({
      isError: true,
      structuredContent: { ...this.#demand },
      content: [{ type: 'text', text: jsonText(this.#demand) }],
    });
  }

  /** The same answer with what came of the payment. */
  receipted(result: CallToolResult): CallToolResult {
    return this.#receipt === null ? result : { ...result, _meta: { ...result._meta, [RECEIPT]: this.#receipt } };
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

function decoded(header: string | null): Readonly<Record<string, unknown>> | null {
  if (header === null || header.length > HEADER_LENGTH_MAX) return null;
  const value = recordOf(Buffer.from(header, 'base64').toString('utf8'));
  return Object.keys(value).length === 0 ? null : value;
}
