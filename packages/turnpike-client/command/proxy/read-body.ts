import type { IncomingMessage } from 'node:http';

/** @returns null if the body is longer than `bytesMax` */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
