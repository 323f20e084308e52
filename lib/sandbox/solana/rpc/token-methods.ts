import type { Account } from '../accounts/account';
import {
  readMint,
  readTokenAccount,
  type TokenAccountState,
  tokenProgramOf,
  uiTokenAmount,
} from '../accounts/token-state';
import { toBase58 } from '../address';
import type { SolanaChain } from '../chain';
import { addressBytes, TOKEN_PROGRAMS } from '../programs';
import { addressIn, tellAll } from './account-methods';
import { accountFormat } from './encoding';
import { invalidParams, type Json } from './json-rpc';
import { type Method, withContext } from './method';
import type { Params } from './params';

const LARGEST = 20;

interface Holding {
  address: Uint8Array;
  account: Account;
  token: TokenAccountState;
}

export const TOKEN_METHODS: Readonly<Record<string, Method>> = {
  getTokenAccountBalance: (chain, params) => {
    params.config(1);
    const account = chain.account(params.address(0));
    if (!account) throw invalidParams('Invalid param: could not find account');
    const token = readTokenAccount(account);
    if (!token) throw invalidParams('Invalid param: not a Token account');
    return withContext(chain, uiTokenAmount(token.amount, mintOf(chain, token.mint).decimals));
  },
  getTokenSupply: (chain, params) => {
    params.config(1);
    const { supply, decimals } = mintOf(chain, params.address(0));
    return withContext(chain, uiTokenAmount(supply, decimals));
  },
  getTokenLargestAccounts: (chain, params) => {
    params.config(1);
    const mint = params.address(0);
    const { decimals } = mintOf(chain, mint);
    const holdings = holdingsOf(chain, programsFor(chain, mint)).filter(({ token }) => isSame(token.mint, mint));
    holdings.sort((a, b) =>
      a.token.amount === b.token.amount
        ? Buffer.compare(a.address, b.address)
        : a.token.amount < b.token.amount
          ? 1
          : -1,
    );
    return withContext(
      chain,
      holdings
        .slice(0, LARGEST)
        .map(({ address, token }) => ({ address: toBase58(address), ...uiTokenAmount(token.amount, decimals) })),
    );
  },
  getTokenAccountsByOwner: (chain, params) => accountsBy(chain, params, ({ owner }, address) => isSame(owner, address)),
  getTokenAccountsByDelegate: (chain, params) =>
    accountsBy(chain, params, ({ delegate }, address) => delegate !== null && isSame(delegate, address)),
};

function accountsBy(
  chain: SolanaChain,
  params: Params,
  belongs: (token: TokenAccountState, address: Uint8Array) => boolean,
): Json {
  const address = params.address(0);
  const mint = addressIn(params, 1, 'mint');
  const program = addressIn(params, 1, 'programId');
  const format = accountFormat(params.config(2));
  if (mint === null && program === null) throw invalidParams('Invalid params: expected `mint` or `programId`.');
  if (program && !TOKEN_PROGRAMS.includes(toBase58(program)))
    throw invalidParams('Invalid param: unrecognized Token program id');
  const programs = mint ? programsFor(chain, mint) : [program as Uint8Array];
  const found = holdingsOf(chain, programs).filter(
    ({ token }) => belongs(token, address) && (!mint || isSame(token.mint, mint)),
  );
  return withContext(chain, tellAll(chain, found, format));
}

function holdingsOf(chain: SolanaChain, programs: readonly Uint8Array[]): Holding[] {
  return programs.flatMap((program) =>
    chain.owned(program).flatMap(({ address, account }) => {
      const token = readTokenAccount(account);
      return token ? [{ address, account, token }] : [];
    }),
  );
}

function programsFor(chain: SolanaChain, mint: Uint8Array): Uint8Array[] {
  const account = chain.account(mint);
  if (!account) throw invalidParams('Invalid param: could not find mint');
  const program = tokenProgramOf(account);
  if (!program) throw invalidParams('Invalid param: not a Token mint');
  return TOKEN_PROGRAMS.map(addressBytes).filter((bytes) => isSame(bytes, account.owner));
}

function mintOf(chain: SolanaChain, address: Uint8Array): { supply: bigint; decimals: number } {
  const account = chain.account(address);
  if (!account) throw invalidParams('Invalid param: could not find mint');
  const mint = readMint(account);
  if (!mint) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
