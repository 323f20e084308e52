import {
  type FailedTransactionMetadata,
  InstructionErrorBorshIo,
  InstructionErrorCustom,
  TransactionErrorDuplicateInstruction,
  TransactionErrorInstructionError,
  TransactionErrorInsufficientFundsForRent,
} from 'litesvm/dist/internal.js';
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './error-names';

/** Error in JSON-RPC's format: a name, or an object of one name and its fields. */
export type TransactionErrorJson =
  | string
  | { InstructionError: [index: number, error: string | { Custom: number }] }
  | { DuplicateInstruction: number }
  | { InsufficientFundsForRent: { account_index: number } }
  | { ProgramExecutionTemporarilyRestricted: { account_index: number } };

export interface TransactionError {
  json: TransactionErrorJson;
  sentence: string;
}

export function namedError(
  name: 'AlreadyProcessed' | 'BlockhashNotFound' | 'AccountNotFound' | 'SignatureFailure',
): TransactionError {
  const [, sentence] = TRANSACTION_ERRORS.find(([known]) => known === name) ?? [name, name];
  return { json: name, sentence };
}

export function transactionErrorOf(failed: FailedTransactionMetadata): TransactionError {
  const error = failed.err();
  if (typeof error === 'number') {
    const [name, sentence] = TRANSACTION_ERRORS[error] ?? ['SanitizeFailure', `Unknown error ${String(error)}`];
    return { json: name, sentence };
  }
  if (error instanceof TransactionErrorInstructionError) return instructionError(error.index, error.err());
  if (error instanceof TransactionErrorDuplicateInstruction) {
    return {
      json: { DuplicateInstruction: error.index },
      sentence: `Transaction contains a duplicate instruction (${error.index}) that is not allowed`,
    };
  }
  const { accountIndex } = error;
  if (error instanceof TransactionErrorInsufficientFundsForRent) {
    return {
      json: { InsufficientFundsForRent: { account_index: accountIndex } },
      sentence: `Transaction results in an account (${accountIndex}) with insufficient funds for rent`,
    };
  }
  return {
    json: { ProgramExecutionTemporarilyRestricted: { account_index: accountIndex } },
    sentence: `Execution of the program referenced by account at index ${accountIndex} is temporarily restricted.`,
  };
}

function instructionError(index: number, error: ReturnType<TransactionErrorInstructionError['err']>): TransactionError {
  const wrap = (inner: string | { Custom: number }, sentence: string): TransactionError => ({
    json: { InstructionError: [index, inner] },
    sentence: `Error processing Instruction ${index}: ${sentence}`,
  });
  if (error instanceof InstructionErrorCustom)
    return wrap({ Custom: error.code }, `custom program error: 0x${error.code.toString(16)}`);
  if (error instanceof InstructionErrorBorshIo) return wrap('BorshIoError', error.msg);
  const [name, sentence] = INSTRUCTION_ERRORS[error as number] ?? ['GenericError', `unknown error ${String(error)}`];
  return wrap(name, sentence);
}
