/** Why a wallet did not do what it was asked. */
export type WalletFailureKind = 'refused' | 'wrong-chain' | 'no-gas' | 'busy' | 'replaced' | 'reverted' | 'other';

export interface WalletFailure {
  kind: WalletFailureKind;
  /** What happened, as a sentence. */
  sentence: string;
  /** What to do about it. */
  advice: string;
}

const CAUSES_MAX = 8;

/**
 * Reads what a wallet, or the chain behind it, answered: by the codes of EIP-1193 and EIP-1474 wherever they lie in
 * the chain of causes, and by the words of nodes where there is no code.
 */
export function walletFailureOf(error: unknown): WalletFailure {
  const chain = causesOf(error);
  const has = (...codes: readonly number[]) => chain.some(({ code }) => code !== null && codes.includes(code));
  const says = (pattern: RegExp) => chain.some(({ message }) => pattern.test(message));
  if (has(4001) || says(/user (rejected|denied|cancell?ed)|rejected the request|request rejected/i)) {
    return { kind: 'refused', sentence: 'You refused in the wallet.', advice: 'Nothing was signed and nothing was sent. Try again when you are ready.' };
  }
  if (has(4901, 4902) || chain.some(({ name }) => name === 'ChainMismatchError') || says(/chain mismatch|does not match the target chain|unrecognized chain/i)) {
    return { kind: 'wrong-chain', sentence: 'The wallet is on another chain.', advice: 'Switch it to the chain of this gateway, then try again.' };
  }
  if (says(/insufficient funds|exceeds the balance of the account|gas required exceeds allowance \(0\)|not enough (funds|balance) for gas/i)) {
    return { kind: 'no-gas', sentence: 'The wallet has no coin to pay the network fee with.', advice: 'Fund it, then try again.' };
  }
  const replaced = chain.find(({ name }) => name === 'ReplacedTransactionError');
  if (replaced !== undefined) return { kind: 'replaced', sentence: replaced.message, advice: 'Nothing of this step happened. Start it again if you still want it.' };
  if (has(-32002)) return { kind: 'busy', sentence: 'The wallet already has a question open.', advice: 'Open the wallet and answer it, then try again.' };
  const reverted = chain.find(({ name, message }) => /Revert/.test(name) || /revert/i.test(message));
  if (reverted !== undefined) return { kind: 'reverted', sentence: `The contract refused: ${firstLine(reverted.message)}`, advice: 'Check the amount, then try again.' };
  return { kind: 'other', sentence: firstLine(chain[0]?.message ?? 'The wallet failed without saying why.'), advice: 'Try again; if it persists, reconnect the wallet.' };
}

interface Cause {
  code: number | null;
  name: string;
  message: string;
}

function causesOf(error: unknown): Cause[] {
  const chain: Cause[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && chain.length < CAUSES_MAX) {
    const { code, name, message, shortMessage, cause, error: inner } = next as Record<string, unknown>;
    const said = typeof shortMessage === 'string' ? shortMessage : message;
    chain.push({ code: typeof code === 'number' ? code : null, name: typeof name === 'string' ? name : '', message: typeof said === 'string' ? said : '' });
    next = cause ?? inner;
  }
  return chain.length > 0 ? chain : [{ code: null, name: '', message: typeof error === 'string' ? error : '' }];
}

function firstLine(message: string): string {
  const line = message.split('\n').find((each) => each.trim() !== '')?.trim() ?? '';
  if (line === '') return 'The wallet failed without saying why.';
  const cut = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
