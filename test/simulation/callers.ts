import { type Block, type Chain, hex, logsOf, type Random } from './chain';
import type { Answered, SimulatedGateway } from './gateway';
import { GOSSIP_MS } from './node';

/** Context of a simulated caller. */
export interface Stage {
  chain: Chain;
  gateway: SimulatedGateway;
  random: Random;
  accountId: number;
  /** Address of the caller's wallet. The wallet's signed transactions by nonce are in `signed`. */
  address: string;
  signed: readonly { raw: string; hash: string }[];
  /** True if nodes answer every request, so that a missing answer is always a violation. */
  isCalm: boolean;
  /** True if several nodes must agree, so that an error may report a disagreement. */
  mayDisagree: boolean;
  /** Records a violation. */
  violated: (what: string) => void;
}

/** Error code for nodes that disagree. */
const DISAGREEMENT = -32_090;

interface Log {
  blockNumber: string;
  blockHash: string;
  logIndex: string;
}

interface ToldBlock {
  number: string;
  hash: string;
}

/** Simulated caller. Acts repeatedly and remembers the answers. */
export abstract class Caller {
  #heights = { latest: 0, safe: 0, finalized: 0 };

  constructor(readonly stage: Stage) {}

  abstract act(): Promise<void>;

  /** Checks conditions that can be decided only at the end. */
  conclude(): void {
    // Most callers check everything while they act.
  }

  /** @returns null if the call failed or the nodes disagreed */
  protected async ask(method: string, ...params: unknown[]): Promise<Answered | null> {
    const answer = await this.stage.gateway.ask(this.stage.accountId, method, params);
    return this.stage.mayDisagree && answer?.error?.code === DISAGREEMENT ? null : answer;
  }

  protected get told(): number {
    return this.#heights.latest;
  }

  /** Checks a reported height, which must never decrease. */
  protected hear(height: number, tag: 'latest' | 'safe' | 'finalized' = 'latest'): void {
    const before = this.#heights[tag];
    if (height < before) this.stage.violated(`${tag} went back from ${before} to ${height}`);
    if (height > this.stage.chain.head.number)
      this.stage.violated(`${tag} was told as ${height}, and the chain is at ${this.stage.chain.head.number}`);
    this.#heights[tag] = Math.max(before, height);
  }

  protected async head(): Promise<number | null> {
    const height = numberIn(await this.ask('eth_blockNumber'));
    if (height !== null) this.hear(height);
    return height;
  }

  /** Requests something that must exist. @returns null if the call failed */
  protected async known<T>(what: string, method: string, ...params: unknown[]): Promise<T | null> {
    const answer = await this.ask(method, ...params);
    if (answer === null) return null;
    if (answer.error) this.stage.violated(`error ${answer.error.code} ${answer.error.message} for ${what}`);
    else if (answer.result === null) this.stage.violated(`null for ${what}`);
    return (answer.result as T | undefined) ?? null;
  }
}

/** Reads logs up to the head, range by range, as an indexer does. */
export class RangeIndexer extends Caller {
  #next: number | null = null;
  readonly #seen = new Set<string>();
  #first = 0;

  constructor(
    stage: Stage,
    private readonly confirmations: number,
  ) {
    super(stage);
  }

  async act(): Promise<void> {
    const head = await this.head();
    if (head === null) return;
    const to = head - this.confirmations;
    this.#next ??= this.#first = to;
    if (to < this.#next) return;
    const logs = await this.known<Log[]>(`logs from ${this.#next} to ${to}`, 'eth_getLogs', {
      fromBlock: hex(this.#next),
      toBlock: hex(to),
    });
    if (logs === null) return;
    for (const log of logs) this.#seen.add(keyOf(log));
    this.#next = to + 1;
  }

  override conclude(): void {
    const { chain } = this.stage;
    for (const block of chain.head.line.slice(this.#first, this.#next ?? 0)) {
      // A caller that waits for no confirmations may miss logs of replaced blocks, and must check these blocks itself.
      if (this.confirmations === 0 && chain.contested.has(block.number)) continue;
      for (const log of logsOf(block))
        if (!this.#seen.has(keyOf(log)))
          this.stage.violated(`the log ${log.logIndex} of block ${block.number} was lost`);
    }
  }
}

/** Follows blocks one by one. Reads the content of each block by hash or number. */
export class BlockFollower extends Caller {
  #next: number | null = null;

  async act(): Promise<void> {
    const head = await this.head();
    if (head === null) return;
    this.#next ??= head;
    if (this.#next > head) return;
    const number = this.#next;
    const told = await this.known<ToldBlock>(`block ${number}`, 'eth_getBlockByNumber', hex(number), false);
    if (told === null) return;
    this.#next++;
    const block = this.stage.chain.blocks.get(told.hash) as Block;
    const logs = await this.#ofHash(block, 'logs', 'eth_getLogs', { blockHash: told.hash });
    if (logs?.result && (logs.result as Log[]).length !== block.logs)
      this.stage.violated(`${(logs.result as Log[]).length} of ${block.logs} logs of the hash of block ${number}`);
    await this.#ofHash(block, 'the block', 'eth_getBlockByHash', told.hash, false);
    await this.known(`receipts of block ${number}`, 'eth_getBlockReceipts', hex(number));
  }

  async #ofHash(block: Block, what: string, method: string, ...params: unknown[]): Promise<Answered | null> {
    const answer = await this.ask(method, ...params);
    const isThere = this.stage.chain.head.line[block.number] === block;
    if (isThere && answer && (answer.error || answer.result === null))
      this.stage.violated(`no answer for ${what} of the hash of block ${block.number}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

/** Sends transactions and waits for each to be mined. */
export class Wallet extends Caller {
  #nonce = 0;
  #acknowledged = 0;
  #sentAt = -Infinity;
  #waitsFor: string | null = null;
  readonly #mined: string[] = [];

  async act(): Promise<void> {
    const { random } = this.stage;
    if (this.#waitsFor !== null) await this.#look(this.#waitsFor);
    else if (random() < 0.5) await this.#send();
    else {
      const mined = this.#mined[Math.floor(random() * this.#mined.length)];
      if (mined !== undefined) await this.known(`the receipt of ${mined}`, 'eth_getTransactionReceipt', mined);
    }
    await this.#readNonce();
  }

  async #send(): Promise<void> {
    const transaction = this.stage.signed[this.#nonce];
    if (!transaction) return;
    this.#nonce++;
    const answer = await this.ask('eth_sendRawTransaction', transaction.raw);
    if (answer?.error) this.stage.violated(`the send was refused: ${answer.error.message}`);
    if (!answer?.result) return;
    this.#acknowledged++;
    this.#sentAt = performance.now();
    this.#waitsFor = transaction.hash;
  }

  async #look(hash: string): Promise<void> {
    if (this.#mayJudge) await this.known(`the transaction ${hash}`, 'eth_getTransactionByHash', hash);
    const receipt = (await this.ask('eth_getTransactionReceipt', hash))?.result as
      | { blockNumber: string }
      | null
      | undefined;
    if (!receipt) return;
    this.#waitsFor = null;
    this.#mined.push(hash);
    await this.known(`the transaction ${hash} with a receipt`, 'eth_getTransactionByHash', hash);
    await this.known(
      `the block ${receipt.blockNumber} of a receipt`,
      'eth_getBlockByNumber',
      receipt.blockNumber,
      false,
    );
    await this.known(
      `the balance at the block ${receipt.blockNumber} of a receipt`,
      'eth_getBalance',
      this.stage.address,
      receipt.blockNumber,
    );
  }

  async #readNonce(): Promise<void> {
    const acknowledged = this.#acknowledged;
    const mayJudge = this.#mayJudge;
    const nonce = numberIn(await this.ask('eth_getTransactionCount', this.stage.address, 'pending'));
    if (nonce !== null && mayJudge && nonce < acknowledged)
      this.stage.violated(`the pending nonce was ${nonce} after ${acknowledged} sends`);
  }

  /** True if every node that may answer already knows the transaction. */
  get #mayJudge(): boolean {
    return this.stage.isCalm || performance.now() > this.#sentAt + GOSSIP_MS;
  }
}

/** Reads the latest, safe and finalized blocks, alone and in batches. */
export class HeadReader extends Caller {
  async act(): Promise<void> {
    const { random, gateway, accountId } = this.stage;
    const tag = (['latest', 'safe', 'finalized'] as const)[Math.floor(random() * 3)] ?? 'latest';
    if (random() < 0.3) {
      const told = this.told;
      const balance = await this.known<string>('the latest balance', 'eth_getBalance', this.stage.address, 'latest');
      if (balance !== null && Number(balance) < told * 1_000)
        this.stage.violated(`the balance is of block ${Number(balance) / 1_000}, and ${told} was told`);
    }
    if (random() < 0.6) {
      const block = await this.known<ToldBlock>(`the ${tag} block`, 'eth_getBlockByNumber', tag, false);
      if (block) this.hear(Number(block.number), tag);
      return;
    }
    const answers = await gateway.askTogether(accountId, [
      { method: 'eth_blockNumber', params: [] },
      { method: 'eth_getBlockByNumber', params: [tag, false] },
      { method: 'eth_getBalance', params: [this.stage.address, 'latest'] },
      { method: 'eth_getBlockByNumber', params: [hex(this.told), false] },
      { method: 'eth_blockNumber', params: [] },
    ]);
    if (!answers) return;
    if (this.told > 0 && !answers[3]?.result)
      this.stage.violated(`no block ${this.told} in a batch: ${JSON.stringify(answers[3])}`);
    const [first, block, , , last] = answers;
    this.#hear(first, 'latest');
    if (block?.result) this.hear(Number((block.result as ToldBlock).number), tag);
    this.#hear(last, 'latest');
  }

  #hear(answer: Answered | undefined, tag: 'latest'): void {
    const height = numberIn(answer ?? null);
    if (height !== null) this.hear(height, tag);
  }
}

/** Reads old state, and logs of many blocks. */
export class Historian extends Caller {
  async act(): Promise<void> {
    const { random, chain, isCalm, violated } = this.stage;
    const head = await this.head();
    if (head === null) return;
    const height = Math.floor(random() * head);
    const balance = await this.ask('eth_getBalance', this.stage.address, hex(height));
    if (isCalm && balance?.error) violated(`no balance at ${height}: ${balance.error.message}`);
    if (balance?.result && Number(balance.result) !== height * 1_000) violated(`a false balance at ${height}`);
    const [from, to] = [Math.floor(height / 2), random() < 0.3 ? 'latest' : hex(head)];
    const answer = await this.ask('eth_getLogs', { fromBlock: hex(from), toBlock: to });
    if (!answer) return;
    if (answer.error) return violated(`logs from ${from} to ${head}: ${answer.error.message}`);
    this.#judge(answer.result as Log[], from, head, chain);
  }

  /** Checks that a range's logs are complete, ordered, unique and on one branch of the chain. */
  #judge(logs: readonly Log[], from: number, head: number, chain: Chain): void {
    const { violated } = this.stage;
    const blocks = logs.map(({ blockHash }) => chain.blocks.get(blockHash) as Block);
    const newest = blocks.at(-1);
    if (newest && blocks.some((block) => newest.line[block.number] !== block))
      violated(`logs from ${from} to ${head} are of two branches`);
    if (blocks.some(({ number }, i) => number < (blocks[i - 1]?.number ?? 0)))
      violated(`logs from ${from} to ${head} are not in order`);
    const told = new Set(logs.map(keyOf));
    if (told.size < logs.length) violated(`logs from ${from} to ${head} are there twice`);
    for (const block of chain.head.line.slice(from, head + 1)) {
      if (!chain.contested.has(block.number) && logsOf(block).some((log) => !told.has(keyOf(log))))
        violated(`logs of block ${block.number} are missing of those from ${from} to ${head}`);
    }
  }
}

function keyOf({ blockHash, logIndex }: Log): string {
  return `${blockHash} ${logIndex}`;
}

function numberIn(answer: Answered | null): number | null {
  return typeof answer?.result === 'string' ? Number(answer.result) : null;
}
