import type { RpcRequest } from '@/lib/protocol/jsonrpc/rpc-request';
import { recoverTransactionAddress, type TransactionSerialized } from 'viem';
import type { ItemAnswer } from './node-request';
import type { UpstreamNode } from './upstream-node';

/** How long reads of a sender's pending state go first to the node that took its transaction: others hear of it by then. */
const FOLLOWED_MS = 15_000;
/** Senders, and transactions whose sender nobody asked for yet, that are kept. */
const ENTRIES_MAX = 1_000;

interface Sent {
  node: UpstreamNode;
  until: number;
}

/** The id by which a node took a transaction or user operation: the result itself, or a member of it. Null where it says none. */
export function idOfSent({ kind, bytes, start, end }: ItemAnswer): string | null {
  if (kind !== 'result') return null;
  const text = bytes.toString('latin1', start, Math.min(end, start + 65_536));
  const [, whole, member] =
    /^\s*"([0-9A-Za-z]{32,128})"\s*$|"transaction_?[hH]ash"\s*:\s*"(0x[0-9a-fA-F]{1,64})"/.exec(text) ?? [];
  return whole ?? member ?? null;
}

/**
 * Which node took the last transaction of each sender. A sender is known by the signature alone, which takes a
 * millisecond to recover: that is done when somebody first asks for a pending state. Times are of `performance.now()`.
 */
export class SentTransactions {
  readonly #unread: (Sent & { raw: string })[] = [];
  readonly #bySender = new Map<string, Sent>();
  #until = 0;

  /** Whether any is followed now. */
  isFollowing(now: number): boolean {
    return now < this.#until;
  }

  /** A node took a transaction. Anything but a signed one of EVM has no pending state to follow. */
  note({ params }: RpcRequest, node: UpstreamNode, now: number): void {
    const raw = /^\s*\[\s*"(0x[0-9a-fA-F]{2,})"/.exec(params)?.[1];
    if (raw === undefined) return;
    this.#until = now + FOLLOWED_MS;
    this.#unread.push({ raw, node, until: this.#until });
    if (this.#unread.length > ENTRIES_MAX) this.#unread.shift();
  }

  /** The node that took the last transaction of this address, in lower case; null where there is none to follow. */
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
