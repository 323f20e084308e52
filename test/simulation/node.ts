import { keccak256, parseTransaction, type TransactionSerialized } from 'viem';
import type { Upstream } from '@/lib/server/upstreams/nodes/upstream';
import { UpstreamFailure } from '@/lib/server/upstreams/nodes/upstream-failure';
import { type Block, type Chain, type HeadChange, hex, logsOf, type Random } from './chain';

export interface NodeTraits {
  /** Delay after which the node knows new blocks of the chain. */
  lagMs: number;
  latencyMs: number;
  /** Number of blocks below the head for which the node has state. */
  stateBlocks: number;
  /** Maximum block range for logs. */
  rangeBlocks: number;
  /** Share of requests refused by the rate limit. */
  limitedShare: number;
  /** Share of requests whose connection breaks, before or after they arrive. */
  brokenShare: number;
  /** Share of head requests that get an absurd height. */
  lyingShare: number;
  /** Share of balances and logs that are false. */
  falseShare: number;
}

interface Item {
  id: number;
  method: string;
  params: readonly unknown[];
}

type Outcome = { result: unknown } | { error: { code: number; message: string } };

/** Time until other nodes know a transaction that one node accepted. */
export const GOSSIP_MS = 400;
export const SAFE_BLOCKS = 4;
export const FINAL_BLOCKS = 10;

const error = (code: number, message: string): Outcome => ({ error: { code, message } });

/** Simulated node with the interface of an upstream, in virtual time. */
export class SimulatedNode implements Pick<Upstream, 'post' | 'close' | 'sendsTraceContext' | 'connectionUse'> {
  readonly sendsTraceContext = false;
  readonly connectionUse = { open: 0, idle: 0, waiting: 0 };
  /** Number of arrivals of each transaction. */
  readonly arrived = new Map<string, number>();
  #adopted = 0;
  #adoptedAt = 0;

  constructor(
    private readonly chain: Chain,
    readonly traits: NodeTraits,
    private readonly random: Random,
    private readonly sendersOf: ReadonlyMap<string, string>,
  ) {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  post: Upstream['post'] = (text, timeoutMs, asker) => {
    const { latencyMs, limitedShare, brokenShare } = this.traits;
    const delayMs = latencyMs * (0.5 + this.random()) * (this.random() < 0.02 ? 20 : 1);
    const fate = this.random();
    asker?.onSent();
    return new Promise((resolve, reject) => {
      const failAfter = (ms: number, failure: UpstreamFailure): unknown => setTimeout(() => reject(failure), ms);
      if (fate < brokenShare / 2)
        return failAfter(1, new UpstreamFailure('connection', 'no connection', { unsent: true }));
      if (fate < brokenShare / 2 + limitedShare)
        return failAfter(
          delayMs,
          new UpstreamFailure('rate-limited', 'it answered status 429', { status: 429, retryAfterMs: 300 }),
        );
      if (delayMs > timeoutMs) failAfter(timeoutMs, new UpstreamFailure('timeout', 'no complete answer'));
      setTimeout(() => {
        const bytes = Buffer.from(this.#answer(text));
        if (fate > 1 - brokenShare / 2) failAfter(1, new UpstreamFailure('connection', 'the connection broke'));
        else setTimeout(() => resolve({ bytes, structure: null }), delayMs / 2);
      }, delayMs / 2);
    });
  };

  #answer(text: string): string {
    const asked = JSON.parse(text) as Item | Item[];
    const answers = (Array.isArray(asked) ? asked : [asked]).map((item) => ({
      jsonrpc: '2.0',
      id: item.id,
      ...this.#outcome(item),
    }));
    return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  }

  /** Returns the node's current head. */
  get #head(): Block {
    const now = performance.now();
    this.chain.growTo(now);
    const { changes } = this.chain;
    for (let next = changes[this.#adopted + 1]; next; next = changes[this.#adopted + 1]) {
      const at = Math.max(this.#adoptedAt, next.at + this.traits.lagMs * (0.7 + 0.6 * this.random()));
      if (at > now) break;
      this.#adopted++;
      this.#adoptedAt = at;
    }
    return (changes[this.#adopted] as HeadChange).block;
  }

  #knows(hash: string): Block | null {
    const block = this.chain.blocks.get(hash);
    return block &&
      this.chain.changes.slice(0, this.#adopted + 1).some((change) => change.block.line[block.number] === block)
      ? block
      : null;
  }

  #outcome(item: Item): Outcome {
    const outcome = this.#truth(item);
    if (!('result' in outcome) || this.random() >= this.traits.falseShare) return outcome;
    if (item.method === 'eth_getBalance') return { result: hex(Number(outcome.result) + 1) };
    return item.method === 'eth_getLogs' ? { result: (outcome.result as unknown[]).slice(0, -1) } : outcome;
  }

  #truth({ method, params: [first, second] }: Item): Outcome {
    const head = this.#head;
    switch (method) {
      case 'eth_blockNumber':
        return { result: hex(this.random() < this.traits.lyingShare ? head.number + 1_000_000 : head.number) };
      case 'eth_getBlockByNumber':
        return { result: blockOf(this.#at(first, head)) };
      case 'eth_getBlockByHash':
        return { result: blockOf(this.#knows(first as string)) };
      case 'eth_getBlockReceipts': {
        const block = this.#at(first, head);
        return { result: block && block.transactions.map(({ hash }) => receiptOf(hash, block)) };
      }
      case 'eth_getLogs':
        return this.#logs(first as LogFilter, head);
      case 'eth_getTransactionReceipt': {
        const block = this.chain.blockOf(first as string, head.line);
        return { result: block && receiptOf(first as string, block) };
      }
      case 'eth_getTransactionByHash': {
        const block = this.chain.blockOf(first as string, head.line);
        return {
          result: block
            ? receiptOf(first as string, block)
            : this.#hasHeardOf(first as string)
              ? { hash: first, blockNumber: null }
              : null,
        };
      }
      case 'eth_getTransactionCount':
        return { result: hex(this.#nonceOf(first as string, second === 'pending', head)) };
      case 'eth_getBalance': {
        const block = this.#at(second, head);
        if (!block) return error(-32_000, 'header not found');
        return block.number < head.number - this.traits.stateBlocks
          ? error(-32_000, 'missing trie node 5f3c (path )')
          : { result: hex(block.number * 1_000) };
      }
      case 'eth_sendRawTransaction':
        return this.#send(first as string);
      default:
        return error(-32_601, `the method ${method} does not exist`);
    }
  }

  #at(named: unknown, { line, number }: Block): Block | null {
    if (named === 'latest' || named === 'pending') return line[number] ?? null;
    if (named === 'safe') return line[number - SAFE_BLOCKS] ?? null;
    if (named === 'finalized') return line[number - FINAL_BLOCKS] ?? null;
    return line[Number(named)] ?? null;
  }

  #logs({ blockHash, fromBlock = 'latest', toBlock = 'latest' }: LogFilter, head: Block): Outcome {
    if (blockHash !== undefined) {
      const block = this.#knows(blockHash);
      return block ? { result: logsOf(block) } : error(-32_000, 'unknown block');
    }
    const [from, to] = [fromBlock, toBlock].map((end) =>
      end.startsWith('0x') ? Number(end) : (this.#at(end, head)?.number ?? 0),
    ) as [number, number];
    if (to - from >= this.traits.rangeBlocks)
      return error(-32_000, `exceed maximum block range: ${this.traits.rangeBlocks}`);
    return { result: head.line.slice(from, to + 1).flatMap(logsOf) };
  }

  #hasHeardOf(transaction: string): boolean {
    const sent = this.chain.sent.find(({ hash }) => hash === transaction);
    return sent !== undefined && (this.arrived.has(transaction) || sent.sentAt + GOSSIP_MS <= performance.now());
  }

  #nonceOf(address: string, isPending: boolean, head: Block): number {
    const own = this.chain.sent.filter(({ sender }) => sender === address.toLowerCase());
    return own.filter(({ hash }) => this.chain.isIn(hash, head) || (isPending && this.#hasHeardOf(hash))).length;
  }

  #send(raw: string): Outcome {
    const hash = keccak256(raw as `0x${string}`);
    this.arrived.set(hash, (this.arrived.get(hash) ?? 0) + 1);
    if (this.chain.sent.some((sent) => sent.hash === hash)) return error(-32_000, 'already known');
    const { nonce = 0 } = parseTransaction(raw as TransactionSerialized);
    this.chain.sent.push({ hash, sender: this.sendersOf.get(raw) ?? '', nonce, sentAt: performance.now() });
    return { result: hash };
  }
}

interface LogFilter {
  blockHash?: string;
  fromBlock?: string;
  toBlock?: string;
}

function blockOf(block: Block | null): object | null {
  return (
    block && {
      number: hex(block.number),
      hash: block.hash,
      parentHash: block.line[block.number - 1]?.hash ?? null,
      transactions: block.transactions.map(({ hash }) => hash),
    }
  );
}

function receiptOf(hash: string, block: Block): object {
  return { transactionHash: hash, hash, blockNumber: hex(block.number), blockHash: block.hash };
}
