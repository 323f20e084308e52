import { describe, expect, it } from 'vitest';
import { MESSAGE, MessageReader, type MessageType, writeMessage } from './encoder-messages';

const SENT: [MessageType, number, Buffer][] = [
  [MESSAGE.open, 0, Buffer.from('{"format":"mp3"}')],
  [MESSAGE.samples, 0, Buffer.alloc(70_001, 7)],
  [MESSAGE.taken, 1, Buffer.alloc(0)],
  [MESSAGE.failed, 4_294_967_295, Buffer.from('Es ging nicht.')],
  [MESSAGE.finished, 3, Buffer.alloc(0)],
];

/** Returns the bytes of the sent messages. */
function onTheWire(): Buffer {
  const written: Uint8Array[] = [];
  const wire = {
    cork: () => undefined,
    uncork: () => undefined,
    write: (bytes: Uint8Array) => written.push(Buffer.from(bytes)) > 0,
  };
  for (const [type, job, bytes] of SENT) writeMessage(wire, type, job, bytes);
  return Buffer.concat(written);
}

function readIn(pieces: Iterable<Buffer>): [MessageType, number, Buffer][] {
  const read: [MessageType, number, Buffer][] = [];
  const reader = new MessageReader((type, job, bytes) => read.push([type, job, Buffer.from(bytes)]));
  for (const piece of pieces) reader.push(piece);
  return read;
}

describe('messages between the pool and an encoder', () => {
  it.each([1, 2, 8, 9, 10, 1_000, 65_536, 1_000_000])('come out as they went in, in pieces of %d bytes', (length) => {
    const wire = onTheWire();
    const pieces = Array.from({ length: Math.ceil(wire.length / length) }, (_none, index) =>
      wire.subarray(index * length, (index + 1) * length),
    );
    expect(readIn(pieces)).toEqual(SENT);
  });

  it('are not passed on before they are whole', () => {
    const wire = onTheWire();
    expect(readIn([wire.subarray(0, -1)])).toHaveLength(SENT.length - 1);
    expect(readIn([wire.subarray(0, 24)])).toHaveLength(0);
  });
});
