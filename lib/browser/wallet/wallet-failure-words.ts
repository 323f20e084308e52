import type { WalletFailureKind } from './wallet-store';

export const walletFailureWords: Readonly<Record<WalletFailureKind, { sentence: string; advice: string }>> = {
  refused: {
    sentence: 'You declined in the wallet.',
    advice: 'Nothing was signed and nothing was sent. Try again when you are ready.',
  },
  'wrong-chain': { sentence: 'The wallet is on another chain.', advice: 'Switch it over, then try again.' },
  'other-account': {
    sentence: 'The wallet is on another account than the one that was asked.',
    advice: 'Nothing was signed. Switch the wallet back to that account, or begin again with this one.',
  },
  locked: {
    sentence: 'The wallet is locked, or does not let this page use the account.',
    advice: 'Unlock it and allow the account for this page, then try again.',
  },
  slow: {
    sentence: 'The wallet has not answered.',
    advice: 'Look for its window, which may be behind this one, then try again. Nothing was sent.',
  },
  gone: {
    sentence: 'The wallet is no longer connected.',
    advice: 'Connect it again, then try again. Nothing was signed.',
  },
  cannot: {
    sentence: 'This wallet cannot do what was asked of it.',
    advice: 'Nothing was signed. Connect another wallet.',
  },
  'no-gas': { sentence: 'The wallet has no coin to pay the network fee with.', advice: 'Fund it, then try again.' },
  busy: {
    sentence: 'The wallet already has a request open.',
    advice: 'Open the wallet and answer it, then try again.',
  },
  replaced: {
    sentence: 'The transaction was replaced by another one in the wallet.',
    advice: 'This step did not happen. Start it again if you still want it.',
  },
  reverted: {
    sentence: 'The contract refused the transaction.',
    advice: 'Check the amount against what the wallet holds, then try again.',
  },
  other: {
    sentence: 'The wallet failed and gave no reason.',
    advice: 'Nothing was sent. Try again; if it keeps happening, reconnect the wallet.',
  },
};
