import type { SolanaChain } from '../chain';
import { BLOCKHASH_AGE_SLOTS_MAX } from '../slot-clock';
import { toBase58 } from '../address';
import { innerRecords, returnDataJson } from '../transaction/record';
import type { Transaction } from '../transaction/transaction';
import type { TransactionError } from '../transaction/transaction-error';
import { addressKey, type Simulation } from '../vm';
import { accountFormat, accountJson } from './encoding';
import { invalidParams, type Json, RPC_CODES, RpcError } from './json-rpc';
import { type Method, withContext } from './method';
import { asObject, type Config, parseAddressParam } from './params';
import { parsedInner } from './transaction-json';
import { readTransaction } from './wire-text';

const AIRDROP_LAMPORTS_MAX = 1_000_000n * 1_000_000_000n;

export const SEND_METHODS: Readonly<Record<string, Method>> = {
  simulateTransaction: (chain, params) => {
    const config = params.config(1);
    const transaction = readTransaction(params.text(0), config['encoding']);
    const verifySignatures = config['sigVerify'] === true;
    const anyBlockhash = config['replaceRecentBlockhash'] === true;
    if (verifySignatures && anyBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const simulation = chain.simulate(transaction, { verifySignatures, anyBlockhash });
    const slot = chain.clock.now();
    return withContext(chain, {
      ...simulationJson(
        simulation,
        config['innerInstructions'] === true ? innerJson(chain, transaction, simulation) : null,
      ),
      accounts: accountsAfter(chain, simulation, config),
      replacementBlockhash: anyBlockhash
        ? { blockhash: chain.clock.blockhashText(slot), lastValidBlockHeight: slot + BLOCKHASH_AGE_SLOTS_MAX }
        : null,
    });
  },
  sendTransaction: async (chain, params) => {
    const config = params.config(1);
    const transaction = readTransaction(params.text(0), config['encoding']);
    if (config['skipPreflight'] !== true) preflight(chain, transaction);
    const outcome = await chain.send(transaction);
    if (!outcome.executed && isSignatureFailure(outcome.error)) throw signatureFailure();
    // Without a preflight, a node accepts any signed transaction. It silently drops a transaction that it cannot
    // execute.
    return toBase58(transaction.signatures[0] as Uint8Array);
  },
  requestAirdrop: async (chain, params) => {
    const address = params.address(0);
    const lamports = params.lamports(1);
    params.config(2);
    if (lamports < 1n || lamports > AIRDROP_LAMPORTS_MAX)
      throw invalidParams(`Invalid request: an airdrop is 1 to ${AIRDROP_LAMPORTS_MAX} lamports`);
    return chain.airdrop(address, lamports).catch((error: Error) => {
      throw new RpcError(RPC_CODES.internal, `airdrop request failed: ${error.message}`);
    });
  },
};

function preflight(chain: SolanaChain, transaction: Transaction): void {
  const simulation = chain.simulate(transaction, { verifySignatures: true, anyBlockhash: false });
  if (!simulation.error) return;
  if (isSignatureFailure(simulation.error)) throw signatureFailure();
  throw new RpcError(RPC_CODES.preflightFailure, `Transaction simulation failed: ${simulation.error.sentence}`, {
    ...simulationJson(simulation, null),
    accounts: null,
    replacementBlockhash: null,
  });
}

function isSignatureFailure({ json }: TransactionError): boolean {
  return json === 'SignatureFailure';
}

function signatureFailure(): RpcError {
  return new RpcError(RPC_CODES.signatureFailure, 'Transaction signature verification failure');
}

function simulationJson(
  { error, logs, unitsConsumed, returned }: Simulation,
  innerInstructions: Json,
): Record<string, Json> {
  return {
    err: error && (error.json as Json),
    logs,
    unitsConsumed,
    returnData: returned && returnDataJson(returned),
    innerInstructions,
  };
}

function innerJson(chain: SolanaChain, transaction: Transaction, { inner }: Simulation): Json {
  return parsedInner(innerRecords(inner), chain.accountsOf(transaction).all.map(toBase58));
}

function accountsAfter(chain: SolanaChain, simulation: Simulation, config: Config): Json {
  if (config['accounts'] === undefined || config['accounts'] === null) return null;
  const { addresses, encoding } = asObject(config['accounts']);
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts.addresses must be a sequence.');
  const format = accountFormat({ encoding }, 'base64');
  if (format.encoding === 'binary' || format.encoding === 'base58')
    throw invalidParams('base58 encoding not supported');
  const wanted = addresses.map(parseAddressParam);
  if (simulation.error) return wanted.map(() => null);
  const read = (address: Uint8Array) => simulation.accounts.get(addressKey(address)) ?? chain.account(address);
  return wanted.map((address) => {
    const account = read(address);
    return account && account.lamports > 0n ? accountJson(account, format, read) : null;
  });
}
