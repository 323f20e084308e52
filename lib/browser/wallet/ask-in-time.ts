import { WalletTrouble } from './wallet-trouble';

/** Signing takes reading, and a hardware wallet takes finding; nobody reads for longer than this. */
export const WALLET_ANSWERS_WITHIN_MS = 180_000;

/**
 * What a wallet answers, for as long as waiting makes sense. What it does after that is not used.
 * @throws WalletTrouble `slow`; what the wallet refuses it for
 */
export async function askInTime<T>(asked: Promise<T>, withinMs: number = WALLET_ANSWERS_WITHIN_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WalletTrouble('slow')), withinMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
