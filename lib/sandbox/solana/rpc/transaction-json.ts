import { toBase58 } from '../address';
import type { LedgerEntry } from '../ledger';
import type { InnerRecord } from '../transaction/record';
import { decodeTransaction, isWritable, type Message, type Transaction } from '../transaction/transaction';
import { type Json, JsonText, RPC_CODES, RpcError, toJsonText } from './json-rpc';
import { type Config, oneOf } from './params';

const ENCODINGS = ['json', 'jsonParsed', 'base58', 'base64', 'binary'] as const;

interface TransactionFormat {
  encoding: (typeof ENCODINGS)[number];
  /** Newest message version that the caller supports. Null means legacy messages only. */
  versionMax: number | null;
}

export function transactionFormat(config: Config): TransactionFormat {
  const { encoding, maxSupportedTransactionVersion: version } = config;
  return { encoding: oneOf(encoding, ENCODINGS, 'json'), versionMax: typeof version === 'number' ? version : null };
}

/**
 * Formats a transaction with its `meta`. Adds `version` if the caller supports versions.
 *
 * @throws {RpcError} -32015 if the message version is newer than the caller supports
 */
export function transactionWithMeta(
  entry: LedgerEntry,
  { encoding, versionMax }: TransactionFormat,
): { transaction: Json; meta: Json; version?: Json } {
  const transaction = decodeTransaction(entry.wire);
  const { version } = transaction.message;
  if (version !== 'legacy' && (versionMax === null || versionMax < version)) {
    throw new RpcError(
      RPC_CODES.unsupportedTransactionVersion,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    );
  }
  const loaded = (JSON.parse(entry.meta) as { loadedAddresses: { writable: string[]; readonly: string[] } })
    .loadedAddresses;
  const addresses = [...transaction.message.staticAddresses.map(toBase58), ...loaded.writable, ...loaded.readonly];
  return {
    transaction: transactionJson(transaction, addresses, encoding),
    meta: metaJson(entry, encoding === 'jsonParsed' ? addresses : null),
    ...(versionMax !== null && { version }),
  };
}

/**
 * Replaces indices in inner instructions with addresses, as `jsonParsed` does for instructions that it does not decode.
 */
export function parsedInner(inner: readonly InnerRecord[], addresses: readonly string[]): Json {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) =>
      spelled(programIdIndex, accounts, data, addresses, stackHeight),
    ),
  }));
}

function metaJson({ error, meta, inner }: LedgerEntry, addresses: readonly string[] | null): Json {
  const outcome = toJsonText({
    err: error === null ? null : new JsonText(error),
    status: error === null ? { Ok: null } : { Err: new JsonText(error) },
    innerInstructions: addresses ? parsedInner(JSON.parse(inner) as InnerRecord[], addresses) : new JsonText(inner),
  });
  // JSON.parse would lose digits of large amounts.
  return new JsonText(`${outcome.slice(0, -1)},${meta.slice(1)}`);
}

function transactionJson(
  { signatures, message, wire }: Transaction,
  addresses: readonly string[],
  encoding: TransactionFormat['encoding'],
): Json {
  if (encoding === 'base64') return [Buffer.from(wire).toString('base64'), 'base64'];
  if (encoding === 'base58') return [toBase58(wire), 'base58'];
  if (encoding === 'binary') return toBase58(wire);
  const common = { signatures: signatures.map(toBase58) };
  return { ...common, message: encoding === 'json' ? rawMessage(message) : parsedMessage(message, addresses) };
}

function rawMessage(message: Message): Json {
  return {
    accountKeys: message.staticAddresses.map(toBase58),
    header: {
      numRequiredSignatures: message.signers,
      numReadonlySignedAccounts: message.readonlySigners,
      numReadonlyUnsignedAccounts: message.readonlyOthers,
    },
    recentBlockhash: toBase58(message.recentBlockhash),
    instructions: message.instructions.map(({ programIndex, accounts, data }) => ({
      programIdIndex: programIndex,
      accounts,
      data: toBase58(data),
      stackHeight: 1,
    })),
    ...lookupsJson(message),
  };
}

function parsedMessage(message: Message, addresses: readonly string[]): Json {
  return {
    accountKeys: addresses.map((pubkey, index) => ({
      pubkey,
      signer: index < message.signers,
      writable: isWritable(message, index),
      source: index < message.staticAddresses.length ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: toBase58(message.recentBlockhash),
    instructions: message.instructions.map(({ programIndex, accounts, data }) =>
      spelled(programIndex, accounts, toBase58(data), addresses, 1),
    ),
    ...lookupsJson(message),
  };
}

function lookupsJson({ version, lookups }: Message): Record<string, Json> {
  if (version === 'legacy') return {};
  return {
    addressTableLookups: lookups.map(({ table, writable, readonly }) => ({
      accountKey: toBase58(table),
      writableIndexes: writable,
      readonlyIndexes: readonly,
    })),
  };
}

function spelled(
  programIndex: number,
  accounts: readonly number[],
  data: string,
  addresses: readonly string[],
  stackHeight: number,
): Json {
  return {
    programId: addresses[programIndex] ?? null,
    accounts: accounts.map((index) => addresses[index] ?? null),
    data,
    stackHeight,
  };
}
