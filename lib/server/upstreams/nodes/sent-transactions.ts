import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { recoverTransactionAddress, type TransactionSerialized } from 'viem';
import type { ItemAnswer } from './node-request';
import type { UpstreamNode } from './upstream-node';

/** Time for which reads of a sender's pending state prefer the node that accepted the sender's last transaction. */
const FOLLOWED_MS = 15_000;
/** Maximum stored senders. Also the maximum number of transactions whose sender is not known yet. */
const ENTRIES_MAX = 1_000;

interface Sent {
  node: UpstreamNode;
  until: number;
}

/**
 * Returns the id of an accepted transaction or user operation from the node's result; null if the result contains none.
 */
export function idOfSent({ kind, bytes, start, end }: ItemAnswer): string | null {
  if (kind !== 'result') return null;
  const text = bytes.toString('latin1', start, Math.min(end, start + 65_536));
  const [, whole, member] =
    /^\s*"([0-9A-Za-z]{32,128})"\s*$|"transaction_?[hH]ash"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/.exec(text) ?? [];
  return whole ?? member ?? null;
}

/**
 * Remembers which node accepted each sender's last transaction. Recovering a sender from a signature takes 1 ms, so
 * this is done only when pending state is read. Times are values of `performance.now()`.
 */
export class SentTransactions {
  readonly #unread: (Sent & { raw: string })[] = [];
  readonly #bySender = new Map<string, Sent>();
  #until = 0;

  isFollowing(now: number): boolean {
    return now < this.#until;
  }

  /** Records a transaction. Ignores params that do not begin with a signed EVM transaction. */
  note({ params }: RpcRequest, node: UpstreamNode, now: number): void {
    const raw = /^\s*\[\s*"(0x[0-9a-fA-F]{2,})"/.exec(params)?.[1];
    if (raw === undefined) return;
    this.#until = now + FOLLOWED_MS;
    this.#unread.push({ raw, node, until: this.#until });
    if (this.#unread.length > ENTRIES_MAX) this.#unread.shift();
  }

  /**
   * Returns the node that accepted the last transaction of an address; null if unknown.
   * @param address address in lower case
   */
  async nodeOf(address: string, now: number): Promise<UpstreamNode | null> {
    for (const { raw, node, until } of this.#unread.splice(0)) {
      if (now >= until) continue;
      const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }).catch(
        () => null,
      );
      if (sender === null) continue;
      this.#bySender.delete(sender.toLowerCase());
      this.#bySender.set(sender.toLowerCase(), { node, until });
      if (this.#bySender.size > ENTRIES_MAX) this.#bySender.delete(this.#bySender.keys().next().value as string);
    }
    const sent = this.#bySender.get(address);
    return sent !== undefined && now < sent.until ? sent.node : null;
  }
}
