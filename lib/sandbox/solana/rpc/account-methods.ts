import type { Account } from '../accounts/account';
import { isBase58, fromBase58, toBase58 } from '../address';
import type { SolanaChain } from '../chain';
import { readTokenAccount } from '../accounts/token-state';
import { type AccountFormat, accountFormat, accountJson } from './encoding';
import { invalidParams, type Json } from './json-rpc';
import { type Method, withContext } from './method';
import { asCount, asObject, asText, oneOf, parseAddressParam, type Params } from './params';

const ACCOUNTS_MAX = 100;
const FILTERS_MAX = 4;
const MEMCMP_BYTES_MAX = 128;
const LARGEST = 20;

interface Owned {
  address: Uint8Array;
  account: Account;
}

export const ACCOUNT_METHODS: Readonly<Record<string, Method>> = {
  getAccountInfo: (chain, params) => {
    const format = accountFormat(params.config(1));
    return withContext(chain, told(chain, params.address(0), format));
  },
  getBalance: (chain, params) => {
    params.config(1);
    return withContext(chain, chain.account(params.address(0))?.lamports ?? 0n);
  },
  getMultipleAccounts: (chain, params) => {
    const format = accountFormat(params.config(1), 'base64');
    const addresses = params.array(0, ACCOUNTS_MAX).map(parseAddressParam);
    return withContext(
      chain,
      addresses.map((address) => told(chain, address, format)),
    );
  },
  getProgramAccounts: (chain, params) => {
    const config = params.config(1);
    const accounts = tellAll(
      chain,
      programAccounts(chain, params.address(0), config['filters']),
      accountFormat(config),
    );
    return config['withContext'] === true ? withContext(chain, accounts) : accounts;
  },
  getMinimumBalanceForRentExemption: (chain, params) => {
    const bytes = params.count(0);
    params.config(1);
    // Limits the size, because a huge size would overflow the runtime's calculation. Accounts hold at most 10 MiB.
    return chain.rentExemptMinimum(Math.min(bytes, Number.MAX_SAFE_INTEGER / 2 ** 16));
  },
  getLargestAccounts: (chain, params) => {
    const filter = params.config(0)['filter'];
    const kind = filter === undefined || filter === null ? null : oneOf(filter, ['circulating', 'nonCirculating']);
    const isFaucet = (address: Uint8Array) => Buffer.compare(address, chain.faucetAddress) === 0;
    const accounts = allAccounts(chain).filter(
      ({ address }) => kind === null || isFaucet(address) === (kind === 'nonCirculating'),
    );
    accounts.sort((a, b) => Number(b.account.lamports - a.account.lamports));
    return withContext(
      chain,
      accounts
        .slice(0, LARGEST)
        .map(({ address, account }) => ({ address: toBase58(address), lamports: account.lamports })),
    );
  },
  getSupply: (chain, params) => {
    const config = params.config(0);
    const total = allAccounts(chain).reduce((sum, { account }) => sum + account.lamports, 0n);
    const nonCirculating = chain.account(chain.faucetAddress)?.lamports ?? 0n;
    const list = config['excludeNonCirculatingAccountsList'] === true ? [] : [toBase58(chain.faucetAddress)];
    return withContext(chain, {
      total,
      circulating: total - nonCirculating,
      nonCirculating,
      nonCirculatingAccounts: list,
    });
  },
};

/** Formats accounts with their addresses, sorted by address. */
export function tellAll(chain: SolanaChain, accounts: readonly Owned[], format: AccountFormat): Json[] {
  const read = (address: Uint8Array) => chain.account(address);
  const sorted = [...accounts].sort((a, b) => Buffer.compare(a.address, b.address));
  return sorted.map(({ address, account }) => ({
    pubkey: toBase58(address),
    account: accountJson(account, format, read),
  }));
}

function programAccounts(chain: SolanaChain, program: Uint8Array, filters: unknown): Owned[] {
  const tests = filtersOf(filters);
  return chain.owned(program).filter(({ account }) => tests.every((passes) => passes(account)));
}

function told(chain: SolanaChain, address: Uint8Array, format: AccountFormat): Json {
  const account = chain.account(address);
  return account && accountJson(account, format, (other) => chain.account(other));
}

function allAccounts(chain: SolanaChain): Owned[] {
  const faucet = { address: chain.faucetAddress, account: chain.account(chain.faucetAddress) };
  const others = [...chain.ledger.accounts()].filter(({ address }) => Buffer.compare(address, faucet.address) !== 0);
  return faucet.account ? [...others, { address: faucet.address, account: faucet.account }] : others;
}

type AccountTest = (account: Account) => boolean;

/** Parses a list of filters. Returns an empty list for null or undefined. */
export function filtersOf(filters: unknown): AccountTest[] {
  if (filters === undefined || filters === null) return [];
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: filters must be a sequence.');
  if (filters.length > FILTERS_MAX) throw invalidParams(`Too many filters provided; max ${FILTERS_MAX}`);
  return filters.map(testOf);
}

function testOf(filter: unknown): AccountTest {
  if (filter === 'tokenAccountState') return (account) => readTokenAccount(account) !== null;
  const { dataSize, memcmp } = asObject(filter);
  if (dataSize !== undefined) {
    const size = asCount(dataSize);
    return ({ data }) => data.length === size;
  }
  const { offset, bytes, encoding } = asObject(memcmp);
  const at = asCount(offset);
  const wanted = memcmpBytes(bytes, encoding);
  return ({ data }) => Buffer.compare(data.subarray(at, at + wanted.length), wanted) === 0;
}

function memcmpBytes(bytes: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(bytes)) return checkedMemcmp(Uint8Array.from(bytes.map(asCount)));
  const text = asText(bytes);
  if (oneOf(encoding, ['base58', 'base64', 'binary'], 'base58') === 'base64')
    return checkedMemcmp(Buffer.from(text, 'base64'));
  if (text.length > 2 * MEMCMP_BYTES_MAX || !isBase58(text)) throw invalidParams('Invalid param: Invalid');
  return checkedMemcmp(fromBase58(text));
}

function checkedMemcmp(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MEMCMP_BYTES_MAX) throw invalidParams('Invalid param: DataTooLarge');
  return bytes;
}

/** Reads an address from an object parameter; null if absent. */
export function addressIn(params: Params, index: number, name: string): Uint8Array | null {
  const value = params.object(index)[name];
  return value === undefined || value === null ? null : parseAddressParam(value);
}
