import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { CHECKER_READY, type CheckerRequest } from './checker-messages';
import { CheckerOverrun, CheckerThread } from './checker-thread';

class FakeWorker extends EventEmitter {
  readonly asked: CheckerRequest[] = [];
  readonly terminate = vi.fn(() => Promise.resolve(0));
  readonly ref = vi.fn();
  readonly unref = vi.fn();

  postMessage(request: CheckerRequest): void {
    this.asked.push(request);
  }
}

it("what an ended thread says last is nobody else's answer", async () => {
  const workers: FakeWorker[] = [];
  const thread = new CheckerThread(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
  const first = thread.ask({ kind: 'schema', key: 'slow', schema: '{}' }, 20).catch((error: unknown) => error);
  const slow = workers[0] as FakeWorker;
  slow.emit('message', CHECKER_READY);
  expect(await first).toBeInstanceOf(CheckerOverrun);

  const second = thread.ask({ kind: 'schema', key: 'other', schema: '{}' }, 5_000);
  const other = workers[1] as FakeWorker;
  // Node delivers messages that were in a thread's port when the thread ended.
  slow.emit('message', { kind: 'checked', fault: 'of the first schema' });
  other.emit('message', CHECKER_READY);
  await sleep(0);
  expect(other.asked).toEqual([{ kind: 'schema', key: 'other', schema: '{}' }]);
  slow.emit('message', { kind: 'checked', fault: 'of the first schema' });
  slow.emit('exit', 1);
  other.emit('message', { kind: 'checked', fault: null });
  expect(await second).toBeNull();
  expect(slow.terminate).toHaveBeenCalledOnce();
});
