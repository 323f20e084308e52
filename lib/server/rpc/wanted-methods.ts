import type { Logger } from 'pino';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import { isRefusal, lookUpMethod, type RpcMethod } from '@/lib/protocol/rpc-methods';
import { isFieldMethod } from '@/lib/protocol/rpc-methods/field-methods';

const NAMES_MAX = 100;
const REPEAT_MS = 3_600_000;

/** Logs refused methods that some nodes support, each method at most once an hour. */
export class WantedMethods {
  readonly #toldAt = new Map<string, number>();

  constructor(
    private readonly log: Pick<Logger, 'info'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns whether the operator could allow any of these refused methods */
  note(items: readonly RpcRequest[], { slug }: Network, extra: ReadonlyMap<string, RpcMethod>): boolean {
    const wanted = [...new Set(items.map(({ method }) => method))].filter((name) => isWanted(name, extra));
    for (const method of wanted) {
      const before = this.#toldAt.get(method);
      if (before === undefined ? this.#toldAt.size >= NAMES_MAX : this.now() - before < REPEAT_MS) continue;
      this.#toldAt.set(method, this.now());
      this.log.info({ method, network: slug }, 'refused a method that rpc.extraMethods could allow');
    }
    return wanted.length > 0;
  }
}

function isWanted(name: string, extra: ReadonlyMap<string, RpcMethod>): boolean {
  const found = lookUpMethod(name, extra);
  return isRefusal(found) && found.reason === 'unsupported' && found.replacement === undefined && isFieldMethod(name);
}
