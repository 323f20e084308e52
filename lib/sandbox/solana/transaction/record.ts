import { readMint, readTokenAccount, uiTokenAmount } from '../accounts/token-state';
import type { Account } from '../accounts/account';
import { toBase58 } from '../address';
import { MEMO_PROGRAM, MEMO_PROGRAM_V1 } from '../programs';
import { type Json, toJsonText } from '../rpc/json-rpc';
import type { Execution, InnerInstruction } from '../vm';
import type { MessageAccounts } from './accounts';
import type { Message, Transaction } from './transaction';

export interface Run {
  transaction: Transaction;
  accounts: MessageAccounts;
  /** The message's accounts before the run, in index order. */
  before: readonly { address: Uint8Array; account: Account | null }[];
  after: readonly { address: Uint8Array; account: Account | null }[];
  execution: Execution;
  fee: bigint;
}

/** Stored format of inner instructions. Every other part is stored in its JSON-RPC format. */
export interface InnerRecord {
  index: number;
  instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[];
}

/**
 * Makes the stored record of a transaction. `meta` is getTransaction's `meta` in JSON, without status and inner
 * instructions. `inner` is the JSON of the inner instructions ({@link InnerRecord}).
 */
export function recordOf(
  { accounts, before, after, execution, fee }: Run,
  read: (address: Uint8Array) => Account | null,
): { meta: string; inner: string } {
  const balances = (side: Run['before']) => side.map(({ account }) => account?.lamports ?? 0n);
  const meta = toJsonText({
    fee,
    preBalances: balances(before),
    postBalances: balances(after),
    preTokenBalances: tokenBalances(before, read),
    postTokenBalances: tokenBalances(after, read),
    logMessages: execution.logs,
    loadedAddresses: {
      writable: accounts.loaded.writable.map(toBase58),
      readonly: accounts.loaded.readonly.map(toBase58),
    },
    ...(execution.returned && { returnData: returnDataJson(execution.returned) }),
    computeUnitsConsumed: execution.unitsConsumed,
    rewards: [],
  });
  return { meta, inner: JSON.stringify(innerRecords(execution.inner)) };
}

/** Groups inner instructions by the outer instruction that called them. Omits empty groups. */
export function innerRecords(inner: readonly (readonly InnerInstruction[])[]): InnerRecord[] {
  return inner
    .map((group, index) => ({
      index,
      instructions: group.map(({ programIndex, accounts, data, stackHeight }) => ({
        programIdIndex: programIndex,
        accounts: [...accounts],
        data: toBase58(data),
        stackHeight,
      })),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}

export function returnDataJson({ program, data }: { program: Uint8Array; data: Uint8Array }) {
  return { programId: toBase58(program), data: [Buffer.from(data).toString('base64'), 'base64'] };
}

/** Joins a message's memo texts, each prefixed with its length, as nodes do. Returns null without memos. */
export function memoOf({ instructions, staticAddresses }: Message): string | null {
  const memos = instructions
    .filter(({ programIndex }) =>
      [MEMO_PROGRAM, MEMO_PROGRAM_V1].includes(toBase58(staticAddresses[programIndex] ?? new Uint8Array())),
    )
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length > 0 ? memos.join('; ') : null;
}

/** Reads mints from the chain, because a transaction need not include them. */
function tokenBalances(side: Run['before'], read: (address: Uint8Array) => Account | null): Json[] {
  return side.flatMap(({ account }, accountIndex) => {
    const token = account && readTokenAccount(account);
    if (!account || !token) return [];
    const mintAccount = read(token.mint);
    const decimals = (mintAccount && readMint(mintAccount)?.decimals) ?? 0;
    const balance = {
      accountIndex,
      mint: toBase58(token.mint),
      owner: toBase58(token.owner),
      programId: toBase58(account.owner),
    };
    return [{ ...balance, uiTokenAmount: uiTokenAmount(token.amount, decimals) }];
  });
}
