import { connect, type Socket } from 'node:net';
import { inTurn } from './measurement';
import { nowMicros, type StubOrder, TIME_DIGITS, TIME_MARK } from './stream-stub';

/** Endpoint of streams, and the callers who request them. */
export interface StreamTarget {
  port: number;
  path: string;
  /** Header lines, used in rotation. */
  credentials: readonly string[];
}

interface StreamedEvents {
  firstMs: number;
  /** Time from the sending to the arrival of each event. */
  delaysMs: number[];
  /** How much longer each gap between two events was on arrival than on sending. */
  excessMs: number[];
  whole: boolean;
}

/** Requests one stream, over a new or a reused connection, and reads it to the end. */
function readStream(
  socket: Socket,
  { path, credentials }: StreamTarget,
  index: number,
  order: StubOrder,
): Promise<StreamedEvents> {
  const body = JSON.stringify({
    model: 'stub',
    stream: true,
    max_tokens: 2_000,
    messages: [{ role: 'user', content: 'Tell me something.' }],
    user: JSON.stringify(order),
  });
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${credentials[index % credentials.length]}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const streamed: StreamedEvents = { firstMs: NaN, delaysMs: [], excessMs: [], whole: false };
    const askedAt = nowMicros();
    let rest = '';
    let last: { sentAt: number; at: number } | null = null;
    const onData = (chunk: Buffer): void => {
      const at = nowMicros();
      const text = rest + chunk.toString('latin1');
      let from = 0;
      for (
        let mark = text.indexOf(TIME_MARK);
        mark >= 0 && mark + TIME_DIGITS < text.length;
        mark = text.indexOf(TIME_MARK, from)
      ) {
        from = mark + 1 + TIME_DIGITS;
        const sentAt = Number(text.slice(mark + 1, from));
        if (last) streamed.excessMs.push((at - last.at - (sentAt - last.sentAt)) / 1000);
        else streamed.firstMs = (at - askedAt) / 1000;
        streamed.delaysMs.push((at - sentAt) / 1000);
        last = { sentAt, at };
      }
      rest = text.slice(Math.max(from, text.length - 64));
      if (!rest.endsWith('0\r\n\r\n')) return;
      streamed.whole = streamed.delaysMs.length === order.events;
      finish();
    };
    const finish = (): void => {
      socket.off('data', onData).off('close', finish).off('error', reject);
      resolve(streamed);
    };
    socket.on('data', onData).once('close', finish).once('error', reject);
    socket.write(head + body);
  });
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject).once('connect', () => resolve(socket.off('error', reject)));
  });
}

/**
 * Measures the time to the first event of a stream. Requests one stream after another, on one connection per target.
 * The targets alternate with each stream, so that other load affects all of them equally.
 * @returns the times of each target in milliseconds
 */
export async function firstEvents(targets: readonly StreamTarget[], count: number): Promise<number[][]> {
  const callers = await Promise.all(
    targets.map(async (target) => ({ target, socket: await openSocket(target.port), timesMs: [] as number[] })),
  );
  for (let index = 0; index < count; index++) {
    for (const { target, socket, timesMs } of inTurn(callers, index + 1))
      timesMs.push((await readStream(socket, target, index, { events: 3, intervalMs: 0 })).firstMs);
  }
  for (const { socket } of callers) socket.destroy();
  return callers.map(({ timesMs }) => timesMs);
}

/** Requests many parallel streams. Spreads their starts over ten times the interval between events. */
export async function manyStreams(target: StreamTarget, streams: number, order: StubOrder): Promise<StreamedEvents[]> {
  return Promise.all(
    Array.from({ length: streams }, async (_none, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index / streams) * 10 * order.intervalMs));
      const socket = await openSocket(target.port);
      const streamed = await readStream(socket, target, index, order);
      socket.destroy();
      return streamed;
    }),
  );
}
