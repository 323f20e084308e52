import type { ServerResponse } from 'node:http';

/** Writes bytes, then waits until the response accepts more. @returns false if the reader has disconnected */
export async function pacedWrite(response: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(bytes)) return true;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
  return !response.destroyed;
}
