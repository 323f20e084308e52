import { flag, list, nullable, number, object, oneOf, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** What moved a wallet's prepaid balance. USD; charges are negative. */
export interface Movement {
  id: string;
  amount: number;
  balanceAfter: number;
  type: 'TOP_UP' | 'CHARGE' | 'REFUND';
  /** ISO 8601. */
  createdAt: string;
  /** Of a top-up, its paymentId. */
  requestId: string;
  modelId: string | null;
  /** Of a top-up, the chain that it was paid on (CAIP-2). Missing where the gateway does not say. */
  network?: string | null;
  /** Of a top-up, its transaction there. */
  transaction?: string | null;
}

/** A page of movements, newest first. */
export interface MovementPage {
  currentBalance: number;
  transactions: readonly Movement[];
  pagination: { limit: number; offset: number; hasMore: boolean };
}

const movements: Schema<{ data: MovementPage }> = object({
  data: object({
    currentBalance: number,
    transactions: list(
      object({
        id: text,
        amount: number,
        balanceAfter: number,
        type: oneOf(['TOP_UP', 'CHARGE', 'REFUND']),
        createdAt: text,
        requestId: text,
        modelId: nullable(text),
        network: nullable(text),
        transaction: nullable(text),
      }),
    ),
    pagination: object({ limit: number, offset: number, hasMore: flag }),
  }),
});

/** What moved the prepaid balance of a wallet that has signed in. `limit` is 1 to 100. Rejects with GatewayError or UnreachableError. */
export async function listMovements(
  options: TurnpikeClientOptions,
  walletAddress: string,
  { limit, offset }: { limit: number; offset: number },
  callOptions?: CallOptions,
): Promise<MovementPage> {
  const search = new URLSearchParams({ limit: String(limit), offset: String(offset) }).toString();
  return (
    await fitting(
      movements,
      await exchanger(options)(
        'GET',
        `/api/v1/x402/transactions/${encodeURIComponent(walletAddress)}?${search}`,
        callOptions,
      ),
    )
  ).data;
}
