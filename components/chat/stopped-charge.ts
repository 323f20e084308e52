import { type Charge, listCharges } from '@/lib/client';
import type { TurnpikeClientOptions } from '@/lib/client/exchange';

export interface StoppedCharge {
  promptTokens: number;
  completionTokens: number;
  costNanoUsd: number;
}

/**
 * Time before each read of the charge. The gateway charges a stopped answer only when it notices that the client has
 * disconnected.
 */
const WAITS_MS = [500, 1_500, 4_000, 10_000];

/** Reads the charge of a stopped answer, with retries; null if unknown. Never rejects. */
export async function chargeOfStopped(
  connection: TurnpikeClientOptions,
  requestId: string,
  waitsMs: readonly number[] = WAITS_MS,
): Promise<StoppedCharge | null> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      const [charge] = (await listCharges(connection, { requestId })).data;
      if (charge !== undefined) return readCharge(charge);
    } catch {
      // The next iteration retries.
    }
  }
  return null;
}

/** Reads the tokens of a chat's charge, such as "12 + 34 tokens". Null for other formats. */
export function readCharge({ detail, amount }: Pick<Charge, 'detail' | 'amount'>): StoppedCharge | null {
  const [, prompt, completion] = /^(\d{1,12}) \+ (\d{1,12}) tokens/.exec(detail) ?? [];
  const costNanoUsd = Math.round(Number(amount) * 1e9);
  if (prompt === undefined || completion === undefined || !Number.isSafeInteger(costNanoUsd)) return null;
  return { promptTokens: Number(prompt), completionTokens: Number(completion), costNanoUsd };
}
