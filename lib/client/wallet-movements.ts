import { flag, list, nullable, number, object, oneOf, type Schema, text } from './answer-schema';
import { type CallOptions, exchanger, fitting, type TurnpikeClientOptions } from './exchange';

/** Change of a wallet's prepaid balance, in USD. Charges are negative. */
export interface Movement {
  id: string;
  amount: number;
  balanceAfter: number;
  type: 'TOP_UP' | 'CHARGE' | 'REFUND' | 'WITHDRAWAL';
  /** ISO 8601. */
  createdAt: string;
  /** Request id, or the id of a top-up or withdrawal. */
  requestId: string;
  modelId: string | null;
  /** Chain of a top-up or withdrawal (CAIP-2); absent if not stated. */
  network?: string | null;
  transaction?: string | null;
}

/** Page of movements, newest first. */
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
        type: oneOf(['TOP_UP', 'CHARGE', 'REFUND', 'WITHDRAWAL']),
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

/**
 * Lists the changes of a signed-in wallet's prepaid balance. `limit` is 1 to 100. Rejects with GatewayError or
 * UnreachableError.
 */
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
