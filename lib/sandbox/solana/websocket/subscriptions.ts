import { toBase58 } from '../address';
import type { Executed, SolanaChain } from '../chain';
import { filtersOf } from '../rpc/account-methods';
import { accountFormat, accountJson } from '../rpc/encoding';
import { invalidParams, type Json, toJsonText } from '../rpc/json-rpc';
import { withContext } from '../rpc/method';
import { asObject, type Params, parseAddressParam } from '../rpc/params';
import type { SlotClock } from '../slot-clock';
import { addressKey } from '../vm';

/** Calls listeners at the start of every slot. The timer runs only while there are listeners. */
export class SlotTicker {
  readonly #listeners = new Set<(slot: number) => void>();
  #timer: NodeJS.Timeout | undefined;
  #told = 0;

  constructor(private readonly clock: SlotClock) {}

  /** @returns a function that unsubscribes */
  onSlot(listener: (slot: number) => void): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#told = this.clock.now();
      this.#wait();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #wait(): void {
    this.#timer = setTimeout(() => this.#tick(), this.clock.untilNextMs());
  }

  #tick(): void {
    const slot = this.clock.now();
    this.#wait();
    if (slot === this.#told) return;
    this.#told = slot;
    for (const listener of [...this.#listeners]) listener(slot);
  }
}

interface Watch {
  /** Method of the notifications, such as `signatureNotification`. */
  name: string;
  /** Starts watching. May call `notify` before it returns. @returns a function that stops watching */
  start: (notify: Notify) => () => void;
}

type Notify = (result: Json, last?: boolean) => void;

type Subscribe = (chain: SolanaChain, params: Params, ticker: SlotTicker) => Watch;

const SUBSCRIPTIONS_MAX = 1_000;

const SUBSCRIBE: Readonly<Record<string, Subscribe>> = {
  signatureSubscribe: (chain, params) => {
    const signature = params.signature(0);
    const text = toBase58(signature);
    params.config(1);
    const value = (error: Json) => withContext(chain, { err: error });
    return {
      name: 'signatureNotification',
      start: (notify) => {
        const known = chain.ledger.find(signature);
        if (!known)
          return chain.onExecuted(
            (executed) => executed.signature === text && notify(value(executed.error as Json), true),
          );
        notify(value(known.error === null ? null : (JSON.parse(known.error) as Json)), true);
        return () => undefined;
      },
    };
  },
  slotSubscribe: (_chain, _params, ticker) => ({
    name: 'slotNotification',
    start: (notify) => ticker.onSlot((slot) => notify({ parent: Math.max(0, slot - 1), root: slot, slot })),
  }),
  rootSubscribe: (_chain, _params, ticker) => ({
    name: 'rootNotification',
    start: (notify) => ticker.onSlot((slot) => notify(slot)),
  }),
  accountSubscribe: (chain, params) => {
    const key = addressKey(params.address(0));
    const format = accountFormat(params.config(1));
    const gone: Json = {
      data: ['', 'base64'],
      executable: false,
      lamports: 0,
      owner: '11111111111111111111111111111111',
      rentEpoch: 0,
      space: 0,
    };
    return {
      name: 'accountNotification',
      start: (notify) =>
        chain.onExecuted(({ written }) => {
          const change = written.find(({ address }) => addressKey(address) === key);
          if (change)
            notify(
              withContext(
                chain,
                change.account ? accountJson(change.account, format, (address) => chain.account(address)) : gone,
              ),
            );
        }),
    };
  },
  programSubscribe: (chain, params) => {
    const program = addressKey(params.address(0));
    const config = params.config(1);
    const format = accountFormat(config);
    const tests = filtersOf(config['filters']);
    return {
      name: 'programNotification',
      start: (notify) =>
        chain.onExecuted(({ written }) => {
          for (const { address, account } of written) {
            if (!account || addressKey(account.owner) !== program || !tests.every((passes) => passes(account)))
              continue;
            notify(
              withContext(chain, {
                pubkey: toBase58(address),
                account: accountJson(account, format, (other) => chain.account(other)),
              }),
            );
          }
        }),
    };
  },
  logsSubscribe: (chain, params) => {
    const matches = logsFilter(params);
    params.config(1);
    return {
      name: 'logsNotification',
      start: (notify) =>
        chain.onExecuted((executed) => {
          const { signature, error, logs } = executed;
          if (matches(executed)) notify(withContext(chain, { signature, err: error as Json, logs }));
        }),
    };
  },
};

const SUBSCRIBE_METHODS: ReadonlyMap<string, Subscribe> = new Map(Object.entries(SUBSCRIBE));
const UNSUBSCRIBE_METHODS: ReadonlySet<string> = new Set(
  Object.keys(SUBSCRIBE).map((method) => method.replace(/Subscribe$/, 'Unsubscribe')),
);

export class Subscriptions {
  readonly #ends = new Map<number, () => void>();
  #nextId = 0;

  constructor(
    private readonly chain: SolanaChain,
    private readonly ticker: SlotTicker,
    private readonly send: (text: string) => void,
  ) {}

  /**
   * Answers a subscribe or unsubscribe method. Returns undefined for any other method.
   *
   * @returns result, and a function that starts the notifications; call the function after sending the result
   * @throws {RpcError} -32602
   */
  answer(method: string, params: Params): { result: Json; afterwards: () => void } | undefined {
    if (UNSUBSCRIBE_METHODS.has(method)) return { result: this.#end(params.count(0)), afterwards: () => undefined };
    const subscribe = SUBSCRIBE_METHODS.get(method);
    if (!subscribe) return undefined;
    if (this.#ends.size >= SUBSCRIPTIONS_MAX)
      throw invalidParams(`Too many subscriptions on one connection; max ${SUBSCRIPTIONS_MAX}`);
    const watch = subscribe(this.chain, params, this.ticker);
    const id = this.#nextId++;
    this.#ends.set(id, () => undefined);
    return { result: id, afterwards: () => this.#start(id, watch) };
  }

  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  #start(id: number, { name, start }: Watch): void {
    const end = start((result, last = false) => {
      this.send(toJsonText({ jsonrpc: '2.0', method: name, params: { result, subscription: id } }));
      if (last) this.#end(id);
    });
    // The last notification or a closed connection may already have ended the subscription.
    if (this.#ends.has(id)) this.#ends.set(id, end);
    else end();
  }

  #end(id: number): boolean {
    const end = this.#ends.get(id);
    if (!end) throw invalidParams('Invalid subscription id.');
    this.#ends.delete(id);
    end();
    return true;
  }
}

function logsFilter(params: Params): (executed: Executed) => boolean {
  if (params.isText(0)) {
    if (!['all', 'allWithVotes'].includes(params.text(0)))
      throw invalidParams('Invalid Request: expected "all", "allWithVotes" or {"mentions": [address]}');
    return () => true;
  }
  const { mentions } = asObject(params.object(0));
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw invalidParams('Invalid Request: Only 1 address supported');
  const key = addressKey(parseAddressParam(mentions[0]));
  return ({ addresses }) => addresses.some((address) => addressKey(address) === key);
}
