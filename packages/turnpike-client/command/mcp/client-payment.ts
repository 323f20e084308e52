import { parsedRecord } from '@/lib/protocol/json-record';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { jsonText } from '../printable';

const PAYMENT = 'x402/payment';
const RECEIPT = 'x402/payment-response';
/** Maximum header length. All of the gateway's headers are shorter. */
const HEADER_LENGTH_MAX = 65_536;

/**
 * Client's payment for one tool call, by x402 over MCP (x402 specs/transports-v2/mcp.md). Relays the gateway's terms
 * and the client's payment unchanged.
 */
export class MadePayment {
  #demand: Readonly<Record<string, unknown>> | null = null;
  #receipt: unknown = null;

  constructor(private readonly meta: Readonly<Record<string, unknown>> | undefined) {}

  /** Payment header for the gateway; null if the client sent no payment. */
  get header(): string | null {
    const payload = this.meta?.[PAYMENT];
    return typeof payload === 'object' && payload !== null ? encoded(payload) : null;
  }

  /**
   * Records the payment terms and receipt of a response.
   *
   * @param because why the gateway refused an earlier payment
   */
  hear(response: Response, because: string | null = null): void {
    const demand = decoded(response.headers.get('payment-required'));
    if (response.status === 402 && Array.isArray(demand?.['accepts']))
      this.#demand = because === null ? demand : { ...demand, error: because };
    this.#receipt = decoded(response.headers.get('payment-response')) ?? this.#receipt;
  }

  /** If the call needs a payment, returns the terms as x402 over MCP specifies them; else null. */
  demanded(): CallToolResult | null {
    if (this.#demand === null) return null;
    return this.receipted({
      isError: true,
      structuredContent: { ...this.#demand },
      content: [{ type: 'text', text: jsonText(this.#demand) }],
    });
  }

  receipted(result: CallToolResult): CallToolResult {
    return this.#receipt === null ? result : { ...result, _meta: { ...result._meta, [RECEIPT]: this.#receipt } };
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

function decoded(header: string | null): Readonly<Record<string, unknown>> | null {
  if (header === null || header.length > HEADER_LENGTH_MAX) return null;
  const value = parsedRecord(Buffer.from(header, 'base64').toString('utf8')) ?? {};
  return Object.keys(value).length === 0 ? null : value;
}
