import type { ServerResponse } from 'node:http';

/** Writes, and waits where the reader is slower. @returns false where nobody reads any more */
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
