import { createHash } from 'node:crypto';
import { getCompiledTransactionMessageDecoder } from '@solana/kit';
import { base58 } from '@scure/base';
import { RpcRequestError } from 'viem';
import type { NetworkRequest } from '@/lib/server/upstreams/nodes/network-client';
import { PROGRAMS } from './solana-messages';

const FINALITY_SLOTS = 32;
const BLOCKHASH_SLOTS = 150;
const SIGNATURE_BYTES = 64;

interface TokenAccount {
  mint: string;
  owner: string;
  program: string;
  units: bigint;
}

interface Entry {
  signature: string;
  slot: number;
  err: unknown;
  memo: string | null;
  wire: string;
  messageHash: string;
  accounts: readonly string[];
  meta: { err: unknown; preTokenBalances: unknown[]; postTokenBalances: unknown[] };
}

/**
 * Simulated Solana chain in memory, and a node for it. Each slot has a block. Supports only transfers of the token
 * programs. The node is honest unless a test sets `lie`. Shares no code with the product.
 */
export class ScriptedSolana {
  slot = 10_000;
  /** All calls, in order. */
  readonly calls: { method: string; params: unknown[] }[] = [];
  /** Called in place of the node's own answer, which `honest` returns. */
  lie: ((method: string, params: unknown[], honest: () => unknown) => unknown) | null = null;
  /** Units that a mint withholds from each transfer, as Token-2022 does with transfer fees. */
  transferFee = 0n;
  /** Lamports of every address. */
  lamports = 10_000_000_000;
  /** First slot that the node still has in its history. */
  firstAvailable = 0;
  readonly accounts = new Map<string, TokenAccount>();
  readonly #blockhashes = new Map<string, number>();
  #entries: Entry[] = [];
  #hashes = 0;

  readonly rpc: NetworkRequest = (method, params) => {
    this.calls.push({ method, params: params as unknown[] });
    try {
      const honest = (): unknown => this.#answer(method, params as unknown[]);
      return Promise.resolve(this.lie ? this.lie(method, params as unknown[], honest) : honest());
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };

  count(method?: string): number {
    return this.calls.filter((call) => method === undefined || call.method === method).length;
  }

  /** Returns a new blockhash of the current slot. */
  blockhash(): string {
    const hash = base58.encode(
      createHash('sha256')
        .update(`blockhash ${this.#hashes++}`)
        .digest(),
    );
    this.#blockhashes.set(hash, this.slot);
    return hash;
  }

  open(address: string, account: Omit<TokenAccount, 'units' | 'program'> & { units?: bigint; program?: string }): void {
    this.accounts.set(address, { units: 0n, program: PROGRAMS.token, ...account });
  }

  units(address: string): bigint {
    return this.accounts.get(address)?.units ?? 0n;
  }

  /** Advances until all executed transactions are final. */
  finalize(): void {
    this.slot += FINALITY_SLOTS;
  }

  /** Advances until all current transactions have expired and all blocks up to then are final. */
  expire(): void {
    this.slot += BLOCKHASH_SLOTS + 3 * FINALITY_SLOTS;
  }

  /** Drops the newest confirmed block and reverts its effects. */
  dropNewest(): void {
    const dropped = this.#entries.pop();
    if (!dropped || dropped.err !== null) return;
    const before = dropped.meta.preTokenBalances as { address: string; units: bigint }[];
    for (const { address, units } of before) (this.accounts.get(address) as TokenAccount).units = units;
  }

  /**
   * Executes a transaction in its own block.
   *
   * @returns the signature, or the refusal of a transaction that leaves no record
   */
  execute(wire: string): { signature: string } | { refused: string } {
    const refusal = this.#refusal(wire);
    if (refusal !== null) return { refused: refusal };
    this.slot += 1;
    const { message, signatures, hash } = decode(wire);
    const signature = base58.encode(signatures[0] as Uint8Array);
    const pre = this.#balances(message.staticAccounts);
    const snapshot = new Map([...this.accounts].map(([address, account]) => [address, { ...account }]));
    const err = this.#run(message);
    if (err !== null) for (const [address, account] of snapshot) this.accounts.set(address, account);
    this.#entries.push({
      signature,
      slot: this.slot,
      err,
      memo: memoOf(message),
      wire,
      messageHash: hash,
      accounts: message.staticAccounts,
      meta: { err, preTokenBalances: pre, postTokenBalances: this.#balances(message.staticAccounts) },
    });
    return { signature };
  }

  /** Adds unrelated transactions that name these accounts without changing them. */
  dust(accounts: readonly string[], count: number, memo: string | null = null): void {
    for (let index = 0; index < count; index++) {
      const signature = base58.encode(createHash('sha512').update(`dust ${this.#entries.length}`).digest());
      const wire = Buffer.concat([
        Buffer.from([1]),
        base58.decode(signature),
        Buffer.from(`dust ${this.#entries.length}`),
      ]).toString('base64');
      this.#entries.push({
        signature,
        slot: this.slot,
        err: null,
        memo,
        wire,
        messageHash: signature,
        accounts,
        meta: { err: null, preTokenBalances: [], postTokenBalances: [] },
      });
    }
  }

  #run(message: Message): unknown {
    for (const [index, instruction] of message.instructions.entries()) {
      const program = message.staticAccounts[instruction.programAddressIndex];
      if (program !== PROGRAMS.token && program !== PROGRAMS.token2022) continue;
      if (!this.#transfer(program, message, instruction)) return { InstructionError: [index, { Custom: 1 }] };
    }
    return null;
  }

  #transfer(
    program: string,
    message: Message,
    { data, accountIndices = [] }: Message['instructions'][number],
  ): boolean {
    const bytes = Buffer.from((data ?? []) as Uint8Array);
    const kind = bytes[0];
    if ((kind !== 12 && kind !== 3) || bytes.length < 9) return false;
    const addresses = accountIndices.map((index) => message.staticAccounts[index] ?? '');
    const [sourceAt = '', mintOrDestination = ''] = addresses;
    const destinationAt = kind === 12 ? (addresses[2] ?? '') : mintOrDestination;
    const authorityIndex = accountIndices[kind === 12 ? 3 : 2] ?? 255;
    const [source, destination] = [this.accounts.get(sourceAt), this.accounts.get(destinationAt)];
    const units = bytes.readBigUInt64LE(1);
    if (
      !source ||
      !destination ||
      source.program !== program ||
      destination.program !== program ||
      source.mint !== destination.mint
    )
      return false;
    if (kind === 12 && (mintOrDestination !== source.mint || bytes[9] !== 6)) return false;
    if (
      authorityIndex >= message.header.numSignerAccounts ||
      message.staticAccounts[authorityIndex] !== source.owner ||
      source.units < units
    )
      return false;
    source.units -= units;
    destination.units += units - (program === PROGRAMS.token2022 && this.transferFee < units ? this.transferFee : 0n);
    return true;
  }

  #refusal(wire: string): string | null {
    let decoded: ReturnType<typeof decode>;
    try {
      decoded = decode(wire);
    } catch {
      return 'SanitizeFailure';
    }
    const seenAt = this.#blockhashes.get(decoded.message.lifetimeToken);
    if (seenAt === undefined || this.slot - seenAt > BLOCKHASH_SLOTS) return 'BlockhashNotFound';
    return this.#entries.some(({ messageHash }) => messageHash === decoded.hash) ? 'AlreadyProcessed' : null;
  }

  #balances(addresses: readonly string[]): unknown[] {
    return addresses.flatMap((address, accountIndex) => {
      const account = this.accounts.get(address);
      if (!account) return [];
      const { mint, owner, program, units } = account;
      return [
        {
          accountIndex,
          mint,
          owner,
          programId: program,
          uiTokenAmount: { amount: units.toString(), decimals: 6 },
          address,
          units,
        },
      ];
    });
  }

  #answer(method: string, params: unknown[]): unknown {
    const finalized = this.slot - FINALITY_SLOTS;
    const context = { slot: this.slot };
    const [first, second] = params as [never, Record<string, unknown> | undefined];
    switch (method) {
      case 'getEpochInfo': {
        const slot = (first as { commitment: string }).commitment === 'finalized' ? finalized : this.slot;
        return { absoluteSlot: slot, blockHeight: slot };
      }
      case 'simulateTransaction':
        return { context, value: { err: this.#simulate(first) } };
      case 'sendTransaction': {
        const error = this.#simulate(first);
        if (error !== null) throw refused(method, -32_002, `Transaction simulation failed: ${JSON.stringify(error)}`);
        const sent = this.execute(first);
        return 'signature' in sent ? sent.signature : null;
      }
      case 'getSignatureStatuses':
        return { context, value: (first as string[]).map((signature) => this.#status(signature)) };
      case 'isBlockhashValid':
        return {
          context: { slot: finalized },
          value: finalized - (this.#blockhashes.get(first) ?? -Infinity) <= BLOCKHASH_SLOTS,
        };
      case 'getSignaturesForAddress':
        return this.#history(first, second ?? {});
      case 'getTransaction': {
        const entry = this.#find(first);
        if (!entry || entry.slot > (second?.commitment === 'finalized' ? finalized : this.slot)) return null;
        const { err, preTokenBalances, postTokenBalances } = entry.meta;
        return {
          slot: entry.slot,
          blockTime: 0,
          version: 0,
          transaction: [entry.wire, 'base64'],
          meta: {
            err,
            fee: 10_000,
            preTokenBalances: plain(preTokenBalances),
            postTokenBalances: plain(postTokenBalances),
          },
        };
      }
      case 'getLatestBlockhash':
        return {
          context,
          value: { blockhash: this.blockhash(), lastValidBlockHeight: this.slot + BLOCKHASH_SLOTS },
        };
      case 'getBalance':
        return { context, value: this.lamports };
      case 'getAccountInfo':
        return { context, value: this.#account(first) };
      case 'getFirstAvailableBlock':
        return this.firstAvailable;
      default:
        throw refused(method, -32_601, 'Method not found');
    }
  }

  #account(address: string): unknown {
    const account = this.accounts.get(address);
    if (account) {
      const { mint, owner, program, units } = account;
      const tokenAmount = { amount: units.toString(), decimals: 6 };
      return {
        owner: program,
        data: {
          program: 'spl-token',
          parsed: { type: 'account', info: { mint, owner, state: 'initialized', tokenAmount } },
        },
      };
    }
    const ofMint = [...this.accounts.values()].find(({ mint }) => mint === address);
    if (!ofMint) return null;
    return { owner: ofMint.program, data: { program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6 } } } };
  }

  #find(signature: string): Entry | undefined {
    return this.#entries.find((entry) => entry.signature === signature);
  }

  #simulate(wire: string): unknown {
    const refusal = this.#refusal(wire);
    if (refusal !== null) return refusal;
    const snapshot = new Map([...this.accounts].map(([address, account]) => [address, { ...account }]));
    const err = this.#run(decode(wire).message);
    for (const [address, account] of snapshot) this.accounts.set(address, account);
    return err;
  }

  #status(signature: string): unknown {
    const entry = this.#find(signature);
    if (!entry) return null;
    return {
      slot: entry.slot,
      err: entry.err,
      confirmationStatus: entry.slot <= this.slot - FINALITY_SLOTS ? 'finalized' : 'confirmed',
    };
  }

  #history(account: string, { before, limit = 1_000, commitment }: Record<string, unknown>): unknown[] {
    const newest = commitment === 'finalized' ? this.slot - FINALITY_SLOTS : this.slot;
    const named = this.#entries
      .filter(({ accounts, slot }) => accounts.includes(account) && slot <= newest && slot >= this.firstAvailable)
      .reverse();
    const from = before === undefined ? 0 : named.findIndex(({ signature }) => signature === before) + 1;
    if (before !== undefined && from === 0) return [];
    return named.slice(from, from + Number(limit)).map(({ signature, slot, err, memo }) => ({
      signature,
      slot,
      err,
      memo,
      blockTime: 0,
      confirmationStatus: 'finalized',
    }));
  }
}

type Message = ReturnType<typeof decode>['message'];

function decode(wire: string) {
  const bytes = Buffer.from(wire, 'base64');
  const count = bytes[0] ?? 0;
  const messageAt = 1 + count * SIGNATURE_BYTES;
  const messageBytes = Uint8Array.from(bytes.subarray(messageAt));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message) || count === 0) throw new Error('not a transaction');
  const signatures = Array.from({ length: count }, (_, index) =>
    bytes.subarray(1 + index * SIGNATURE_BYTES, 1 + (index + 1) * SIGNATURE_BYTES),
  );
  return { message, signatures, hash: createHash('sha256').update(messageBytes).digest('hex') };
}

function memoOf({ instructions, staticAccounts }: Message): string | null {
  const texts = instructions
    .filter(({ programAddressIndex }) => staticAccounts[programAddressIndex] === PROGRAMS.memo)
    .map(({ data }) => Buffer.from((data ?? []) as Uint8Array));
  return texts.length > 0 ? texts.map((data) => `[${data.length}] ${data.toString()}`).join('; ') : null;
}

/** Returns balances as a node does, without this chain's internal fields. */
function plain(balances: unknown[]): unknown[] {
  return (balances as Record<string, unknown>[]).map(({ accountIndex, mint, owner, programId, uiTokenAmount }) => ({
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount,
  }));
}

function refused(method: string, code: number, message: string): RpcRequestError {
  return new RpcRequestError({ body: { method }, url: 'scripted', error: { code, message } });
}
