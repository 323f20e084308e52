import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { IdentifiedCaller } from '../auth/caller';
import type { Call } from '../http/call';
import { RequestRecord } from '../http/request-record';
import type { Charge, Reservation } from './meter';
import { OpenCalls } from './open-calls';
import { PaidCall, type PaidCallSettings, type Purchase } from './paid-call';

const CALLER: IdentifiedCaller = {
  accountId: 1,
  apiKeyId: 1,
  purse: 'all',
  keyHash: 'hash',
  wallet: null,
  allow: null,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns an admitted call, and the amounts of its checkpoints. */
function admitted() {
  const notedNanoUsd: number[] = [];
  const meter = {
    checkpoint: (_reservation: Reservation, { amountNanoUsd }: Charge) => void notedNanoUsd.push(amountNanoUsd),
  };
  const call = { requestId: '0', record: new RequestRecord({ header: () => null }) } as unknown as Call;
  const paid = new PaidCall(call, CALLER, 1_000, { meter, openCalls: new OpenCalls() } as unknown as PaidCallSettings);
  paid.admit({ request: {} } as Reservation, 1_000);
  return { paid, notedNanoUsd };
}

function purchase(amountNanoUsd: number): Purchase {
  return { amountNanoUsd, credits: 0, resource: 'chat/guide', detail: '', replayBody: null };
}

it('a running call writes a checkpoint every ten seconds until `keepAlive` is stopped', () => {
  const { paid, notedNanoUsd } = admitted();
  let nanoUsd = 5;
  const stop = paid.keepAlive(() => purchase(nanoUsd));
  vi.advanceTimersByTime(10_000);
  nanoUsd = 7;
  vi.advanceTimersByTime(10_000);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(notedNanoUsd).toEqual([5, 7]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a stream that takes a call on keeps it alive beyond the end of who asked for it, and says alone what it came to', () => {
  const { paid, notedNanoUsd } = admitted();
  const stopAsking = paid.keepAlive(() => purchase(0));
  vi.advanceTimersByTime(6_000);
  const stopStreaming = paid.keepAlive(() => purchase(9));
  stopAsking();
  vi.advanceTimersByTime(14_000);
  expect(notedNanoUsd).toEqual([9, 9]);
  stopStreaming();
  stopStreaming();
  vi.advanceTimersByTime(60_000);
  expect(notedNanoUsd).toEqual([9, 9]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a call can be kept alive again after nobody did', () => {
  const { paid, notedNanoUsd } = admitted();
  paid.keepAlive(() => purchase(1))();
  paid.keepAlive(() => purchase(2));
  vi.advanceTimersByTime(10_000);
  expect(notedNanoUsd).toEqual([2]);
});
