import type { WithdrawalDraft } from '@/lib/client';
import { askInTime, requireAccount } from '@/lib/browser/wallet/ask-wallet';
import { walletLayer } from '@/lib/browser/wallet/wallet-store';
import { keepWithdrawal } from './kept-withdrawals';

/**
 * Asks the wallet to sign a withdrawal, and stores it. Rejects if the user refuses.
 *
 * @param isWanted called after signing; if it returns false, the withdrawal is never sent
 */
export async function signWithdrawal(draft: WithdrawalDraft, isWanted: () => boolean): Promise<void> {
  const { family, network, asset, decimals, statement } = draft;
  const layer = await walletLayer(family);
  requireAccount(family, statement.to);
  const signature = await askInTime(
    draft.family === 'evm' ? signEvm(draft.typedData, layer) : layer.signMessage('solana', draft.text),
  );
  if (!isWanted()) return;
  keepWithdrawal({ family, network, asset, decimals, statement, signature });
}

async function signEvm(
  typedData: Extract<WithdrawalDraft, { family: 'evm' }>['typedData'],
  { evmConfig }: Awaited<ReturnType<typeof walletLayer>>,
): Promise<string> {
  const { signTypedData } = await import('wagmi/actions');
  return signTypedData(evmConfig, { ...typedData, account: typedData.message.to });
}
