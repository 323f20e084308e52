import { describe, expect, it, vi } from 'vitest';
import type { BodySink, PushBody, Reply } from './call';
import { observed } from './endpoint';
import { RequestRecord } from './request-record';

const NO_HEADERS = { header: () => null };
const sink = (): BodySink => ({ write: vi.fn(() => true), end: vi.fn(), fail: vi.fn(), drop: vi.fn() });

function pushing(bytes?: number): PushBody {
  return {
    ...(bytes === undefined ? {} : { bytes }),
    start: (to) => void to.write(Buffer.from('abc')),
    resume: vi.fn(),
    cancel: vi.fn(),
    sent: vi.fn(),
  };
}

function watching(body: Reply['body']) {
  const record = new RequestRecord(NO_HEADERS);
  const over = vi.fn();
  const reply = observed({ status: 200, headers: {}, body }, record, over);
  return { record, over, body: reply.body as PushBody };
}

describe('a reply that is watched', () => {
  it('is over at once where it is whole, and left as it is', () => {
    const { record, over, body } = watching('text');
    expect([over.mock.calls.length, body, record.pushedBytes]).toEqual([1, 'text', null]);
  });

  it('keeps the length that a pushed body has, which its head says', () => {
    expect(watching(pushing(3)).body.bytes).toBe(3);
    expect(watching(pushing()).body.bytes).toBeUndefined();
  });

  it('counts what was pushed, and is over when all of it was sent', () => {
    const { record, over, body } = watching(pushing());
    body.start(sink());
    expect([record.pushedBytes, over.mock.calls.length]).toEqual([3, 0]);
    body.sent?.();
    body.cancel();
    expect([over.mock.calls.length, record.isCut]).toEqual([1, false]);
  });

  it('is cut where it is given up before', () => {
    const { record, over, body } = watching(pushing());
    body.start(sink());
    body.cancel();
    expect([over.mock.calls.length, record.isCut]).toEqual([1, true]);
  });

  it('is not cut where the client leaves with the complete answer, before its end', () => {
    const { record, over, body } = watching({ ...pushing(), isComplete: true });
    body.start(sink());
    body.cancel();
    expect([over.mock.calls.length, record.isCut]).toEqual([1, false]);
  });
});

describe('what a request cost', () => {
  it('is told at once where no money is held for it, else when that is decided, to all who wait', () => {
    const record = new RequestRecord(NO_HEADERS);
    const told = vi.fn();
    record.whenClosed(told);
    expect(told).toHaveBeenCalledTimes(1);
    record.opened();
    record.whenClosed(told);
    record.whenClosed(told);
    expect(told).toHaveBeenCalledTimes(1);
    record.closed();
    record.closed();
    expect(told).toHaveBeenCalledTimes(3);
  });
});
