import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  type Log,
  pad,
  toEventSelector,
  toHex,
  type TransactionReceipt,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION_ABI, type AuthorizationKey, readReceipt } from './find-execution';

type Address = `0x${string}`;
type Receipt = Pick<TransactionReceipt, 'logs' | 'status' | 'transactionHash' | 'blockNumber'>;

const address = (index: number): Address => pad(toHex(index), { size: 20 });
const [TOKEN, OTHER_TOKEN, RECEIVER] = [address(0xa0), address(0xa1), address(0xb0)];
const PAYERS = [1, 2, 3].map(address);
const PLACES = [RECEIVER, address(0xc0), ...PAYERS];
const NONCES: readonly Hex[] = [1, 2].map((index) => pad(toHex(index)));
const KEYS: readonly AuthorizationKey[] = PAYERS.flatMap((from) =>
  NONCES.map((nonce) => ({ token: TOKEN, from, nonce })),
);

/** Returns numbers that look random, the same for equal seeds (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (bound: number): number => Math.floor(next() * bound),
    of: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  };
}

type Random = ReturnType<typeof randomOf>;

const log = (at: Address, topics: readonly unknown[], data: Hex = '0x'): Log =>
  ({
    address: at,
    topics,
    data,
    blockNumber: 7n,
    blockHash: pad('0x7'),
    transactionHash: pad('0x9'),
    transactionIndex: 0,
    logIndex: 0,
    removed: false,
  }) as Log;
const transfer = (at: Address, from: Address, to: Address, value: bigint): Log =>
  log(
    at,
    encodeEventTopics({ abi: AUTHORIZATION_ABI, eventName: 'Transfer', args: { from, to } }),
    encodeAbiParameters([{ type: 'uint256' }], [value]),
  );
const used = (at: Address, authorizer: Address, nonce: Hex): Log =>
  log(at, encodeEventTopics({ abi: AUTHORIZATION_ABI, eventName: 'AuthorizationUsed', args: { authorizer, nonce } }));
const canceled = (at: Address, authorizer: Address, nonce: Hex): Log =>
  log(
    at,
    encodeEventTopics({ abi: AUTHORIZATION_ABI, eventName: 'AuthorizationCanceled', args: { authorizer, nonce } }),
  );

interface Done {
  receipt: Receipt;
  /** Amount that each authorization paid the receiver, by payer and nonce. */
  paid: Map<string, bigint>;
  gained: bigint;
}

const nameOf = ({ from, nonce }: Pick<AuthorizationKey, 'from' | 'nonce'>): string => `${from}/${nonce}`;

/**
 * Returns a transaction of an honest token: authorizations of several payers, plain transfers, events of other
 * contracts.
 */
function transaction(random: Random): Done {
  const logs: Log[] = [];
  const paid = new Map<string, bigint>();
  const spent = new Set<string>();
  let gained = 0n;
  const moved = (at: Address, to: Address, value: bigint): void => {
    if (at === TOKEN && to === RECEIVER) gained += value;
  };
  for (let steps = 1 + random.below(7); steps > 0; steps--) {
    const [at, from, nonce, to, value] = [
      random.of([TOKEN, TOKEN, OTHER_TOKEN]),
      random.of(PAYERS),
      random.of(NONCES),
      random.of(PLACES),
      BigInt(random.below(50)),
    ];
    const name = nameOf({ from, nonce });
    const kind = random.of(['use', 'use', 'use', 'transfer', 'cancel', 'unknown', 'nft'] as const);
    if (kind === 'transfer') {
      logs.push(transfer(at, from, to, value));
      moved(at, to, value);
    } else if (kind === 'unknown') logs.push(log(at, [toEventSelector('Something(uint256)')], '0x01'));
    else if (kind === 'nft') logs.push(log(at, [...(transfer(at, from, to, value).topics as Hex[]), pad('0x5')]));
    else if (at !== TOKEN || !spent.has(name)) {
      if (at === TOKEN) spent.add(name);
      if (kind === 'cancel') logs.push(canceled(at, from, nonce));
      else {
        logs.push(used(at, from, nonce), transfer(at, from, to, value));
        moved(at, to, value);
        if (at === TOKEN && to === RECEIVER) paid.set(name, value);
      }
    }
  }
  return {
    receipt: {
      logs: logs.map((each, logIndex) => ({ ...each, logIndex })) as TransactionReceipt['logs'],
      status: 'success',
      transactionHash: pad('0x9'),
      blockNumber: 7n,
    },
    paid,
    gained,
  };
}

function creditsOf(receipt: Receipt): Map<string, bigint> {
  const credits = new Map<string, bigint>();
  for (const key of KEYS) {
    const execution = readReceipt(receipt, key);
    if (execution?.to?.toLowerCase() === RECEIVER) credits.set(nameOf(key), execution.value);
  }
  return credits;
}

const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, value) => total + value, 0n);

/** Returns the sum that the token's logs report for the receiver. */
function told({ logs }: Receipt): bigint {
  const values = logs.map(({ address: at, topics, data }) =>
    at === TOKEN &&
    topics.length === 3 &&
    topics[0] === toEventSelector('Transfer(address,address,uint256)') &&
    topics[2]?.toLowerCase() === pad(RECEIVER) &&
    data.length === 66
      ? BigInt(data)
      : 0n,
  );
  return sum(values);
}

/** Returns a receipt as a faulty node, proxy or token might change it. */
function broken(receipt: Receipt, random: Random): Receipt {
  let logs = receipt.logs.map((each) => ({ ...each }));
  for (let faults = 1 + random.below(4); faults > 0 && logs.length > 0; faults--) {
    const at = random.below(logs.length);
    const other = random.below(logs.length);
    const [here, there] = [logs[at], logs[other]];
    if (!here || !there) continue;
    switch (random.below(8)) {
      case 0:
        logs.splice(at, 1);
        break;
      case 1:
        [here.logIndex, there.logIndex] = [there.logIndex, here.logIndex];
        break;
      case 2:
        logs.push({ ...here, logIndex: logs.length });
        break;
      case 3:
        here.address = random.of([TOKEN, OTHER_TOKEN, address(0xd0)]);
        break;
      case 4:
        here.topics = here.topics.slice(0, random.below(4)) as typeof here.topics;
        break;
      case 5:
        here.data = random.of<Hex>(['0x', '0x01', `${here.data}00`, pad('0xff')]);
        break;
      case 6:
        here.topics = here.topics.map((topic, index) =>
          index === 0 ? topic : pad(random.of(PLACES)),
        ) as typeof here.topics;
        break;
      default:
        logs = [...logs].reverse();
    }
  }
  return { ...receipt, logs, status: random.below(6) === 0 ? 'reverted' : 'success' };
}

const RUNS = Number(process.env.RECEIPT_RUNS ?? '250');

describe('what a receipt says of a payment', () => {
  it('is exactly what each authorization paid, whatever else the transaction did, in whatever order the logs come', () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = randomOf(seed);
      const { receipt, paid, gained } = transaction(random);
      const shuffled = { ...receipt, logs: [...receipt.logs].sort(() => random.next() - 0.5) };
      expect(creditsOf(receipt), `seed ${seed}`).toEqual(paid);
      expect(creditsOf(shuffled), `seed ${seed}`).toEqual(paid);
      expect(sum(paid.values()) <= gained, `seed ${seed}`).toBe(true);
    }
  });

  it('is never more than its logs say came in, and nothing twice, however broken it is', () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = randomOf(-seed);
      const receipt = broken(transaction(random).receipt, random);
      const credited = sum(creditsOf(receipt).values());
      expect(
        credited <= (receipt.status === 'success' ? told(receipt) : 0n),
        `seed ${seed}: ${credited} of ${told(receipt)}`,
      ).toBe(true);
    }
  });

  it('a receipt of another token, or of a transaction that failed, says nothing', () => {
    const [key] = KEYS as [AuthorizationKey];
    const logs = [used(TOKEN, key.from, key.nonce), transfer(TOKEN, key.from, RECEIVER, 5n)].map((each, logIndex) => ({
      ...each,
      logIndex,
    })) as TransactionReceipt['logs'];
    const receipt: Receipt = { logs, status: 'success', transactionHash: pad('0x9'), blockNumber: 7n };
    expect(readReceipt(receipt, key)).toMatchObject({ value: 5n });
    expect(readReceipt({ ...receipt, status: 'reverted' }, key)).toBeNull();
    expect(readReceipt({ ...receipt, logs: logs.map((each) => ({ ...each, address: OTHER_TOKEN })) }, key)).toBeNull();
    expect(readReceipt(receipt, { ...key, nonce: pad('0x3') })).toBeNull();
  });
});
