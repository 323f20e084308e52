import { connect, type Socket } from 'node:net';

/** Everything that a server sent on one connection until it closed. */
export interface RawAnswer {
  /** 0 if the connection closed without an answer. */
  status: number;
  text: string;
}

const TIMEOUT_MS = 30_000;

/** Sends bytes unchanged and reads until the server closes the connection (send `Connection: close`). */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error(`The connection was neither answered nor closed within ${TIMEOUT_MS} ms.`)),
    );
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      text === '' && error.code !== 'ECONNRESET' && error.code !== 'EPIPE' ? reject(error) : resolve(rawAnswer(text)),
    );
    socket.once('close', () => resolve(rawAnswer(text)));
  });
}

/** Sends bytes and leaves the connection open. */
export function openRaw(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      socket.write(bytes, () => resolve(socket));
    });
    socket.once('error', reject);
  });
}

function rawAnswer(text: string): RawAnswer {
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}
