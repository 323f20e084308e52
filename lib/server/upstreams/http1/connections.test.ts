import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Secret } from '../../config/secret';
import { serve } from '@/test/test-gateway';
import { type Asker, CancelSignal, type JoinLine } from '../nodes/asker';
import { Upstream } from '../nodes/upstream';

const ENOUGH_MS = 20_000;
const [ALICE, BOB, CAROL] = [1, 2, 3] as const;

/** Node that answers only when the test says so. `seen` are the bodies of requests in the order of arrival. */
async function heldNode(connections: number) {
  const seen: string[] = [];
  const open = new Map<string, ServerResponse>();
  const { origin } = await serve((request, response) => {
    void text(request).then((body) => {
      seen.push(body);
      open.set(body, response);
    });
  });
  const upstream = new Upstream(
    { url: new Secret(origin), headers: {} },
    { connections, connectTimeoutMs: ENOUGH_MS, answerBytesMax: 10_000 },
  );
  onTestFinished(() => upstream.close());
  const post = (
    body: string,
    caller: number | null,
    { asker, withinMs = ENOUGH_MS }: { asker?: Asker; withinMs?: number } = {},
  ) => {
    const posted = upstream.post(body, withinMs, asker, null, caller).then(
      () => 'answered',
      (error: { reason?: string }) => error.reason ?? String(error),
    );
    return posted;
  };
  const whenSeen = (count: number) =>
    vi.waitFor(() => expect(seen).toHaveLength(count), { timeout: ENOUGH_MS, interval: 2 });
  return { upstream, seen, post, whenSeen, answer: (body: string) => open.get(body)?.end('{}') };
}

it('a caller with many slow requests gets three of four connections, and others begin at once', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(8);
  const slow = Array.from({ length: 20 }, (_none, index) => post(`alice ${index}`, ALICE));
  await whenSeen(6);
  const others = [post('bob', BOB), post('own', null)];
  await whenSeen(8);
  expect(seen.slice(6).sort()).toEqual(['bob', 'own']);
  expect(upstream.connectionUse).toEqual({ open: 8, idle: 0, waiting: 14 });
  // When a request of another caller is answered, its connection goes to nobody who already has more than its share.
  answer('bob');
  answer('own');
  expect(await Promise.all(others)).toEqual(['answered', 'answered']);
  expect([seen.length, upstream.connectionUse.idle]).toEqual([8, 2]);
  for (let index = 0; index < 20; index++) {
    await vi.waitFor(() => expect(seen).toContain(`alice ${index}`), { timeout: ENOUGH_MS, interval: 2 });
    answer(`alice ${index}`);
  }
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['answered']));
  expect(upstream.connectionUse).toMatchObject({ idle: 8, waiting: 0 });
});

it('requests that wait are sent in turns by caller', async () => {
  const { seen, post, whenSeen, answer } = await heldNode(1);
  const posted = ['a1', 'a2', 'a3', 'a4'].map((body) => post(body, ALICE));
  posted.push(post('b1', BOB), post('c1', CAROL), post('b2', BOB));
  for (let count = 1; count <= posted.length; count++) {
    await whenSeen(count);
    answer(seen[count - 1] as string);
  }
  expect(seen).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(new Set(await Promise.all(posted))).toEqual(new Set(['answered']));
});

it('a request that several callers wait for takes the first turn of any of them, and is sent once', async () => {
  const { seen, post, whenSeen, answer } = await heldNode(1);
  let join: JoinLine | null = null;
  const asker = new CancelSignal(undefined, (joinLine) => (join = joinLine));
  const posted = [post('a1', ALICE), post('a2', ALICE), post('a3', ALICE), post('shared', ALICE, { asker })];
  (join as JoinLine | null)?.(BOB);
  (join as JoinLine | null)?.(BOB);
  for (let count = 1; count <= 4; count++) {
    await whenSeen(count);
    answer(seen[count - 1] as string);
  }
  expect(await Promise.all(posted)).toEqual(['answered', 'answered', 'answered', 'answered']);
  expect(seen).toEqual(['a1', 'a2', 'shared', 'a3']);
});

it('a request that waits begins at once when a caller with room joins it, and is not sent again in the other turn', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(8);
  let join: JoinLine | null = null;
  const asker = new CancelSignal(undefined, (joinLine) => (join = joinLine));
  const posted = Array.from({ length: 6 }, (_none, index) => post(`a${index}`, ALICE));
  posted.push(post('shared', ALICE, { asker }), post('last', ALICE));
  (join as JoinLine | null)?.(BOB);
  // The connection of the shared request still opens, so its other turn comes before it is sent.
  (join as JoinLine | null)?.(CAROL);
  await whenSeen(7);
  for (let index = 0; index < 6; index++) answer(`a${index}`);
  await whenSeen(8);
  answer('shared');
  answer('last');
  expect(new Set(await Promise.all(posted))).toEqual(new Set(['answered']));
  expect(seen.filter((body) => body === 'shared')).toHaveLength(1);
  await vi.waitFor(() => {
    const { open, idle, waiting } = upstream.connectionUse;
    expect([idle, waiting]).toEqual([open, 0]);
  });
});

it('a caller whose line is full is refused at once, without a request, and others still get in line', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(1);
  const posted = ['a1', 'a2', 'a3', 'a4', 'a5'].map((body) => post(body, ALICE));
  expect([await post('a6', ALICE), upstream.isFull]).toEqual(['busy', false]);
  posted.push(post('b1', BOB));
  for (let count = 1; count <= 6; count++) {
    await whenSeen(count);
    answer(seen[count - 1] as string);
  }
  expect(new Set(await Promise.all(posted))).toEqual(new Set(['answered']));
  expect(seen).toHaveLength(6);
});

it('a request that could not be sent before its deadline is refused at once, with the time to wait', async () => {
  const { upstream, post, whenSeen, answer } = await heldNode(1);
  const posted = [post('a1', ALICE), post('a2', ALICE)];
  await whenSeen(1);
  // The first answer takes 100 ms, so two more take longer than the 50 ms that the last request has.
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer('a1');
  await whenSeen(2);
  posted.push(post('a3', ALICE));
  const refused = upstream.post('late', 50, undefined, null, ALICE);
  await expect(refused).rejects.toMatchObject({ reason: 'busy', facts: { unsent: true, retryAfterMs: 1_000 } });
  answer('a2');
  await whenSeen(3);
  answer('a3');
  expect(await Promise.all(posted)).toEqual(['answered', 'answered', 'answered']);
});

it('a request whose turn comes too late for an answer is refused with a retry delay, and not sent', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(1);
  const posted = post('a1', ALICE);
  await whenSeen(1);
  const late = upstream.post('late', 1_000, undefined, null, ALICE);
  // The first answer takes 600 ms, and the waiting request then has less than that.
  await new Promise((resolve) => setTimeout(resolve, 600));
  answer('a1');
  await expect(late).rejects.toMatchObject({ reason: 'busy', facts: { unsent: true, retryAfterMs: 5_000 } });
  expect([await posted, seen]).toEqual(['answered', ['a1']]);
});

it('a caller whose waiting request was refused as too late is not refused again, while others wait', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(1);
  const posted = [post('a1', ALICE)];
  await whenSeen(1);
  const late = post('late', ALICE, { withinMs: 1_000 });
  posted.push(post('b1', BOB), post('b2', BOB));
  await new Promise((resolve) => setTimeout(resolve, 600));
  answer('a1');
  expect(await late).toBe('busy');
  await whenSeen(2);
  posted.push(post('a2', ALICE, { withinMs: 1_200 }));
  expect(upstream.connectionUse.waiting).toBe(2);
  for (let count = 2; count <= 4; count++) {
    await whenSeen(count);
    answer(seen[count - 1] as string);
  }
  expect([await Promise.all(posted), seen]).toEqual([
    ['answered', 'answered', 'answered', 'answered'],
    ['a1', 'b1', 'b2', 'a2'],
  ]);
});

it('a request that its caller gave up while it waited is not sent, and its place is free', async () => {
  const { upstream, seen, post, whenSeen, answer } = await heldNode(1);
  const asker = new CancelSignal();
  const posted = [post('a1', ALICE), post('gone', ALICE, { asker }), post('a2', ALICE)];
  await whenSeen(1);
  asker.cancel();
  answer('a1');
  await whenSeen(2);
  answer('a2');
  expect(await Promise.all(posted)).toEqual(['answered', 'aborted', 'answered']);
  expect(seen).toEqual(['a1', 'a2']);
  await vi.waitFor(() => expect(upstream.connectionUse).toEqual({ open: 1, idle: 1, waiting: 0 }));
});
