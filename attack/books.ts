import type { PaymentRequirements } from '@/lib/client';
import { judge, type Verdict } from './attack';
import { creditedTo, received, usd } from './chains/payments';
import type { Target } from './target';

/** A wallet whose balance is compared with what it paid. */
export interface Payer {
  address: string;
  signIn: { 'sign-in-with-x': string };
}

/** Books opened before an attack: afterwards, credits are compared with what the receiver gained on chain. */
export interface Books {
  /** Base units that came in and that were credited since. */
  close(): Promise<{ gained: bigint; credited: bigint }>;
  /**
   * Held where credits are what came in, neither more nor less; of payments that are refused by their form, no more.
   * @param note what else was seen
   */
  verdict(note: string, options?: { isRefused: boolean }): Promise<Verdict>;
}

/** Opens the books of some payers and of the receiver of `accepted`. The payers have spent nothing and spend nothing. */
export async function openBooks(
  target: Target,
  accepted: Pick<PaymentRequirements, 'network' | 'payTo'>,
  payers: readonly Payer[],
): Promise<Books> {
  const creditsOf = async (): Promise<bigint> =>
    (await Promise.all(payers.map(({ address, signIn }) => creditedTo(target, address, signIn)))).reduce(
      (sum, units) => sum + units,
      0n,
    );
  const before = { received: await received(target, accepted), credited: await creditsOf() };
  const close = async () => ({
    gained: (await received(target, accepted)) - before.received,
    credited: (await creditsOf()) - before.credited,
  });
  return {
    close,
    verdict: async (note, { isRefused } = { isRefused: false }) => {
      const { gained, credited } = await close();
      return judge(
        isRefused ? credited <= gained : credited === gained,
        `credited ${usd(credited)}, the receiver gained ${usd(gained)}; ${note}`,
      );
    },
  };
}
