import { walletFailureWords } from './wallet-failure-words';
import { type WalletFailureKind, WalletTrouble } from './wallet-store';

export interface WalletFailure {
  kind: WalletFailureKind;
  sentence: string;
  advice: string;
}

const CAUSES_MAX = 8;

/** Signs of each kind of failure: error codes, error names, and phrases in messages. The first match wins. */
const SIGNS: readonly { kind: WalletFailureKind; codes?: readonly number[]; names?: RegExp; says?: RegExp }[] = [
  {
    kind: 'refused',
    codes: [4001, 5000],
    says: /user (rejected|denied|cancell?ed|closed)|(rejected|denied|cancell?ed) (the|by the) (request|user)|request rejected|window closed|popup closed|connection request reset/i,
  },
  {
    kind: 'wrong-chain',
    codes: [4901, 4902],
    names: /ChainMismatch|ChainNotConfigured/,
    says: /chain mismatch|does not match the target chain|unrecognized chain|must match the active chain/i,
  },
  {
    kind: 'other-account',
    names: /ConnectorAccountNotFound/,
    says: /account .*not found|unknown account|from address mismatch|invalid from address|not connected with this address/i,
  },
  {
    kind: 'no-gas',
    says: /insufficient funds|exceeds the balance of the account|gas required exceeds allowance \(0\)|not enough (funds|balance) for gas/i,
  },
  { kind: 'replaced', names: /ReplacedTransaction/ },
  { kind: 'busy', codes: [-32002], says: /already (pending|processing)/i },
  {
    kind: 'locked',
    codes: [4100],
    says: /\blocked\b|unauthorized|not been authorized|no accounts? (returned|available)/i,
  },
  {
    kind: 'gone',
    codes: [4900],
    names:
      /ConnectorNotConnected|ProviderNotFound|ConnectorUnavailable|WalletNotConnected|WalletNotReady|WalletDisconnected/,
    says: /not connected|disconnected|provider not found|extension context invalidated|no longer connected/i,
  },
  {
    kind: 'cannot',
    codes: [4200, -32601],
    names: /MethodNotSupported|MethodNotFound/,
    says: /does not support|not supported|unsupported method/i,
  },
  { kind: 'slow', names: /Timeout/, says: /timed? ?out/i },
  { kind: 'reverted', names: /Revert/, says: /revert/i },
];

/**
 * Classifies a failure of a wallet or its chain. Searches the error and all nested causes. Never returns the message of
 * a wallet or library.
 */
export function walletFailureOf(error: unknown): WalletFailure {
  const causes = causesOf(error);
  const known =
    causes.find(({ kind }) => kind !== null)?.kind ??
    SIGNS.find((sign) => causes.some((cause) => hasSign(cause, sign)))?.kind ??
    'other';
  const { sentence, advice } = walletFailureWords[known];
  // ReplacedTransactionError is this page's own error, so its message is shown.
  const found = causes.find(({ name }) => known === 'replaced' && name === 'ReplacedTransactionError')?.message;
  return { kind: known, sentence: found || sentence, advice };
}

interface Cause {
  /** Kind of a failure that this page itself detected; else null. */
  kind: WalletFailureKind | null;
  code: number | null;
  name: string;
  message: string;
}

function hasSign({ code, name, message }: Cause, { codes, names, says }: (typeof SIGNS)[number]): boolean {
  return (
    (code !== null && codes?.includes(code) === true) || names?.test(name) === true || says?.test(message) === true
  );
}

function causesOf(error: unknown): Cause[] {
  const chain: Cause[] = [];
  let next = error;
  while (typeof next === 'object' && next !== null && chain.length < CAUSES_MAX) {
    const { code, name, message, shortMessage, cause, error: inner } = next as Record<string, unknown>;
    const said = typeof shortMessage === 'string' ? shortMessage : message;
    chain.push({
      kind: next instanceof WalletTrouble ? next.kind : null,
      code: typeof code === 'number' ? code : null,
      name: typeof name === 'string' ? name : '',
      message: typeof said === 'string' ? said : '',
    });
    next = cause ?? inner;
  }
  return chain.length > 0
    ? chain
    : [{ kind: null, code: null, name: '', message: typeof error === 'string' ? error : '' }];
}
