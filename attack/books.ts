import type { PaymentRequirements } from '@/lib/client';
import { judge, type Verdict } from './attack';
import { creditedTo, received, usd } from './chains/payments';
import type { Target } from './target';

/** Wallet whose balance is compared with its payments. */
interface Payer {
  address: string;
  signIn: { 'sign-in-with-x': string };
}

/** Records balances before an attack. Afterwards compares the credits with the receiver's gain on chain. */
interface Books {
  /** Returns base units received on chain, and base units credited, since the start. */
  close(): Promise<{ gained: bigint; credited: bigint }>;
  /**
   * Returns `held` if the credits equal the receiver's gain. If `isRefused`, the credits may also be lower, because the
   * gateway refuses these payments.
   * @param note other observations
   */
  verdict(note: string, options?: { isRefused: boolean }): Promise<Verdict>;
}

/**
 * Records the balances of the payers and of the receiver that `accepted` names. The payers must not spend before or
 * during the attack.
 */
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
