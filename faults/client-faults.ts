import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, hold, holdThat } from './fault';
import { start } from './process-faults';

const MIB = 1024 * 1024;
const READERS = 64;
const ANSWER_BYTES = 8 * MIB;
const GROWTH_MAX = 100 * MIB;
const IDLE = 10_000;
const SETTLE_MS = 90_000;

export const stalledReaders: Fault = {
  name: 'stalled-readers',
  title: `${READERS} readers of ${ANSWER_BYTES / MIB} MiB answers take nothing`,
  run: async (stage) => {
    const { node, gateway, price } = await start(stage, {
      config: { memory: { slowReaderMs: 10_000, slowReaderPressedMs: 5_000 } },
    });
    const before = gateway.rss();
    node.behaviour = { do: 'answer', logsBytes: ANSWER_BYTES };
    const readers = stage.track(
      await Promise.all(
        Array.from({ length: READERS }, (_none, index) =>
          stalled(gateway.port, gateway.keys[1 + (index % (gateway.keys.length - 1))] ?? '', index),
        ),
      ),
      (all) => all.forEach((socket) => socket.destroy()),
    );
    let peak = before;
    let slowest = 0;
    const deadline = performance.now() + SETTLE_MS;
    while (readers.some((socket) => !socket.destroyed) && performance.now() < deadline) {
      peak = Math.max(peak, gateway.rss());
      const { status, ms } = await gateway.call(0);
      if (status === 200) slowest = Math.max(slowest, ms);
      await sleep(500);
    }
    hold('readers who are still connected', readers.filter((socket) => !socket.destroyed).length, 0);
    await sleep(5_000);
    const after = gateway.rss();
    holdThat(
      `memory grew by less than ${GROWTH_MAX / MIB} MiB (by ${Math.round((peak - before) / MIB)})`,
      peak - before < GROWTH_MAX,
    );
    hold('charged in whole calls', gateway.charged() % price, 0n);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `the readers are disconnected; of others a small call takes ${slowest} ms at most, new large ones may be 503 \`OVERLOADED\``,
      charged: 'what was answered, read or not, once',
      operator: `memory +${Math.round((peak - before) / MIB)} MiB at its peak, +${Math.round((after - before) / MIB)} afterwards`,
      ends: 'by itself, after `memory.slowReaderMs`',
    };
  },
};

export const idleConnections: Fault = {
  name: 'idle-connections',
  title: `${IDLE} connections that send nothing`,
  run: async (stage) => {
    const { gateway, price } = await start(stage);
    const before = gateway.rss();
    const sockets = stage.track([] as Socket[], (all) => all.forEach((socket) => socket.destroy()));
    for (let opened = 0; opened < IDLE; opened += 250)
      sockets.push(...(await Promise.all(Array.from({ length: 250 }, () => idle(gateway.port)))));
    const open = sockets.filter((socket) => !socket.destroyed).length;
    const answers = [];
    for (let call = 0; call < 10; call++) answers.push(await gateway.call(call));
    hold(
      'statuses of others',
      answers.map(({ status }) => status),
      Array(10).fill(200),
    );
    const grown = Math.round((gateway.rss() - before) / MIB);
    const started = performance.now();
    while (sockets.some((socket) => !socket.destroyed) && performance.now() - started < SETTLE_MS) await sleep(500);
    hold('idle connections that are left', sockets.filter((socket) => !socket.destroyed).length, 0);
    hold('charged', gateway.charged(), 11n * price);
    hold('faults of the books', gateway.books(), []);
    return {
      callers: `others are answered, the slowest in ${Math.max(...answers.map(({ ms }) => ms))} ms`,
      charged: 'what was answered, once',
      operator: `${open} connections open at once, memory +${grown} MiB`,
      ends: 'by itself: who sends no head within 20 s is disconnected',
    };
  },
};

function idle(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', (error) => (socket.destroy(), reject(error)));
    socket.on('end', () => socket.destroy()).resume();
  });
}

/** Opens a connection that requests a large answer and reads nothing. */
function stalled(port: number, key: string, index: number): Promise<Socket> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: index,
    method: 'eth_getLogs',
    params: [{ fromBlock: `0x${index.toString(16)}`, toBlock: 'latest' }],
  });
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(
        `POST /api/v1/crypto/rpc/ethereum-mainnet HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      // The socket never reads, so only a write shows that the gateway has closed the connection.
      const look = setInterval(() => socket.write('\r\n'), 1_000);
      socket.once('close', () => clearInterval(look));
      resolve(socket);
    });
    socket.on('error', (error) => (socket.destroy(), reject(error)));
    socket.pause();
  });
}
